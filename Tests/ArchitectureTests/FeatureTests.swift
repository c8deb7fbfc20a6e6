import Foundation
import Testing

@Suite("The list of features")
struct FeatureTests {
    /// Every feature of the chat by its number.
    private static let features =
        numbers("C", 1...7) + numbers("G", 1...14) + numbers("M", 1...8) + numbers("P", 1...3) + numbers("U", 1...4)
        + numbers("N", 1...4)
        + ["I1", "I3", "I4"]

    private struct Row {
        let feature: String
        let tests: [String]
        let isMissing: Bool
    }

    private static func numbers(_ letter: String, _ range: ClosedRange<Int>) -> [String] {
        range.map { "\(letter)\($0)" }
    }

    private static func rows() throws -> [Row] {
        let text = try Repository.text("Tests/Features.md")
        return text.split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.hasPrefix("| feature") }.map { line in
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
                .map { $0.trimmingCharacters(in: .whitespaces) }
            return Row(
                feature: cells[0].split(separator: " ").first.map(String.init) ?? "",
                tests: cells[1].split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) },
                isMissing: cells.count > 2 && !cells[2].isEmpty)
        }
    }

    @Test
    func `names every feature once, with a test or with what is missing`() throws {
        let rows = try Self.rows()
        #expect(rows.map(\.feature) == Self.features)
        for row in rows { #expect(!row.tests.isEmpty || row.isMissing, "\(row.feature)") }
    }

    @Test
    func `names only tests that exist among those with real nodes`() throws {
        var stories: Set<Substring> = []
        for path in try Repository.paths(below: "Tests/System", endingIn: ".swift") {
            stories.formUnion(try Repository.text(path).matches(of: /func\s+`([^`]+)`\(/).map(\.output.1))
        }
        for row in try Self.rows() {
            for test in row.tests { #expect(stories.contains(test[...]), "\(row.feature): \(test)") }
        }
    }
}
