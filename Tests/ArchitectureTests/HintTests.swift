import Foundation
import Testing

/// Somebody who may not do something learns why, and what they can do instead.
@Suite("Hints")
struct HintTests {
    /// The refusals in a text that leave out the reason or the hint: the lines.
    static func linesWithoutHint(in text: String) -> [Int] {
        let refusal = /\b(?:NodeError|Failure)\(\s*\.(?:invalidOperation|insufficientPermissions),/
        return text.matches(of: refusal).compactMap { match in
            let call = arguments(in: text[match.range.lowerBound...])
            let isWhole = call.contains("hint:") && !call.contains("is not allowed\"")
            return isWhole ? nil : text[..<match.range.lowerBound].count { $0.isNewline } + 1
        }
    }

    /// A call up to the parenthesis that closes it.
    private static func arguments(in text: Substring) -> Substring {
        var depth = 0
        for place in text.indices {
            if text[place] == "(" { depth += 1 }
            if text[place] == ")" { depth -= 1 }
            if text[place] == ")", depth == 0 { return text[...place] }
        }
        return text
    }

    @Test
    func `a refusal of what is not allowed says why, and what to do`() throws {
        let files = try Repository.paths(below: "Sources", endingIn: ".swift")
        var refusals = 0
        for path in files.sorted() {
            let text = try Repository.text(path)
            refusals += text.matches(of: /\(\s*\.(?:invalidOperation|insufficientPermissions),/).count
            for line in Self.linesWithoutHint(in: text) {
                Issue.record("\(path):\(line) refuses something without a reason or without a hint")
            }
        }
        #expect(refusals > 15, "\(refusals) refusals: does this test look in the right place?")
    }

    @Test(arguments: [
        (#"throw NodeError(.invalidOperation, "The file is here already")"#, [1]),
        (#"throw NodeError(.invalidOperation, "This operation is not allowed", hint: "This is you.")"#, [1]),
        ("\nNodeError(\n    .insufficientPermissions, \"No (really)\"\n)\nlet hint: Int", [2]),
        (#"NodeError(.insufficientPermissions, "Not \(name())", hint: "Ask an admin.")"#, []),
        (#"NodeError(.notHere, "The file is not here")"#, []),
    ])
    func `a refusal without a hint is found`(text: String, lines: [Int]) {
        #expect(Self.linesWithoutHint(in: text) == lines)
    }
}
