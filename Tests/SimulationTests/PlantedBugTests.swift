import Foundation
import Testing

/// `scripts/mutants` takes minutes and runs rarely; that its texts still fit is seen in every run of the tests.
@Suite("A planted bug")
struct PlantedBugTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test(arguments: try mutants())
    func `changes a text that stands exactly once in its file`(name: String) throws {
        let text = try String(
            contentsOf: Self.root.appending(path: "Tests/Mutants/\(name)"), encoding: .utf8)
        let match = try #require(text.firstMatch(of: /(?s)\nfile (\S+)\n.*?--- before\n(.*?)\n*--- after\n(.*)/))
        let source = try String(contentsOf: Self.root.appending(path: String(match.1)), encoding: .utf8)
        #expect(source.ranges(of: match.2).count == 1)
        #expect(match.3.contains("PLANTED"))
    }

    private static func mutants() throws -> [String] {
        let files = try FileManager.default.contentsOfDirectory(atPath: root.appending(path: "Tests/Mutants").path)
        let mutants = files.filter { $0.hasSuffix(".mutant") }.sorted()
        return mutants.isEmpty ? ["none is there"] : mutants
    }
}
