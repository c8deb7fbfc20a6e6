/// One Swift file, with its code told apart from what only looks like code: comments and string literals.
struct SwiftSource {
    /// Where the file lies, below `Sources`.
    let path: String

    /// The lines as they stand in the file.
    let lines: [String]

    /// The same lines with comments, string contents and raw identifiers blanked out, so that a rule may search
    /// them for names. Code inside a string interpolation is code and stays.
    let codeLines: [String]

    /// For every word of the code the indices of the lines it stands on, so that a rule looks closely at few lines.
    private let lineIndices: [String: [Int]]

    init(path: String, text: String) {
        self.path = path
        self.lines = Self.split(text)
        var blanking = Blanking(text)
        self.codeLines = Self.split(blanking.code())
        self.lineIndices = Self.lineIndices(of: codeLines)
    }

    /// The lines of code on which one of the words stands, with their numbers counted from 1.
    func code(naming words: [String]) -> [(number: Int, code: String)] {
        Set(words.flatMap { lineIndices[$0] ?? [] }).sorted().map { ($0 + 1, codeLines[$0]) }
    }

    /// For every word the indices of the lines it stands on.
    static func lineIndices(of lines: [String]) -> [String: [Int]] {
        lines.enumerated().reduce(into: [:]) { indices, line in
            for word in line.element.utf8.split(whereSeparator: { !isPartOfWord($0) }) {
                indices[String(Substring(word)), default: []].append(line.offset)
            }
        }
    }

    private static func isPartOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
            true
        default:
            false
        }
    }

    private static func split(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// The modules the file imports, each with its line number, counted from 1.
    var imports: [(module: String, line: Int)] {
        code(naming: ["import"]).compactMap { number, code in
            code.firstMatch(of: Self.importDeclaration).map { (String($0.output.module), number) }
        }
    }

    private static var importDeclaration: Regex<(Substring, module: Substring)> {
        /^\s*(?:(?:@\w+(?:\([^)]*\))?|public|package|internal|fileprivate|private)\s+)*import\s+(?:(?:typealias|struct|class|enum|protocol|let|var|func)\s+)?(?<module>\w+)/
    }
}

/// Reads Swift as far as needed to know where comments and strings begin and end.
///
/// It works on UTF-8 bytes, which is much faster than on characters: everything it looks for is ASCII, and what it
/// blanks byte by byte is gone as a whole.
private struct Blanking {
    private let text: [UInt8]
    private var position = 0
    private var output: [UInt8] = []

    init(_ text: String) {
        self.text = Array(text.utf8)
        self.output.reserveCapacity(self.text.count)
    }

    mutating func code() -> String {
        readCode(untilClosingParenthesis: false)
        return String(decoding: output, as: UTF8.self)
    }

    private var next: UInt8? { position < text.count ? text[position] : nil }

    /// Copies code. Inside an interpolation it ends behind the parenthesis that closes it.
    private mutating func readCode(untilClosingParenthesis: Bool) {
        var depth = 0
        while let byte = next {
            switch byte {
            case UInt8(ascii: "/") where starts(with: "//"):
                blankLine(until: UInt8(ascii: "\n"))
            case UInt8(ascii: "/") where starts(with: "/*"):
                blankBlockComment()
            case UInt8(ascii: "`"):
                blank(1)
                blankLine(until: UInt8(ascii: "`"))
                blank(1)
            case UInt8(ascii: "\""), UInt8(ascii: "#"):
                if let pounds = poundsBeforeQuote() { readString(pounds: pounds) } else { keep() }
            case UInt8(ascii: "("):
                depth += 1
                keep()
            case UInt8(ascii: ")"):
                keep()
                if untilClosingParenthesis && depth == 0 { return }
                depth -= 1
            default:
                keep()
            }
        }
    }

    /// Blanks a string literal, from its first pound sign or quote to its last.
    private mutating func readString(pounds: Int) {
        let fence = String(repeating: "#", count: pounds)
        blank(pounds)
        let isMultiline = starts(with: "\"\"\"")
        let quotes = isMultiline ? "\"\"\"" : "\""
        blank(quotes.utf8.count)
        while let byte = next {
            if starts(with: quotes + fence) {
                return blank(quotes.utf8.count + pounds)
            } else if starts(with: "\\" + fence + "(") {
                blank(1 + pounds)
                keep()
                readCode(untilClosingParenthesis: true)
            } else if starts(with: "\\" + fence) {
                blank(2 + pounds)
            } else if byte == UInt8(ascii: "\n") && !isMultiline {
                // Not a string after all (a quote in a regular expression): do not swallow the rest of the file.
                return
            } else {
                blank(1)
            }
        }
    }

    private mutating func blankBlockComment() {
        var depth = 0
        repeat {
            if starts(with: "/*") {
                depth += 1
                blank(2)
            } else if starts(with: "*/") {
                depth -= 1
                blank(2)
            } else {
                blank(1)
            }
        } while depth > 0 && next != nil
    }

    /// The number of pound signs in front of a string's opening quote, or nil where no string begins.
    private func poundsBeforeQuote() -> Int? {
        let pounds = text[position...].prefix(while: { $0 == UInt8(ascii: "#") }).count
        return text.dropFirst(position + pounds).first == UInt8(ascii: "\"") ? pounds : nil
    }

    private func starts(with prefix: String) -> Bool {
        text[position...].starts(with: prefix.utf8)
    }

    private mutating func keep() {
        guard let byte = next else { return }
        output.append(byte)
        position += 1
    }

    private mutating func blank(_ count: Int) {
        for _ in 0..<count {
            guard let byte = next else { return }
            output.append(byte == UInt8(ascii: "\n") ? byte : UInt8(ascii: " "))
            position += 1
        }
    }

    /// Blanks up to a byte, at most to the end of the line.
    private mutating func blankLine(until end: UInt8) {
        while let byte = next, byte != end, byte != UInt8(ascii: "\n") { blank(1) }
    }
}
