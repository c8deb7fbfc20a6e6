import Foundation
import Testing

@testable import moot_sim

/// `scripts/mutants` takes minutes and runs rarely; that its texts still fit is seen in every run of the tests.
@Suite("Planted bugs")
struct PlantedBugTests {
    private let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test
    func `each change a text that stands exactly once in its file`() throws {
        let mutants = try Mutant.all(in: root.appending(path: "Tests/Mutants"))
        #expect(mutants.count >= 30)
        for mutant in mutants {
            let source = try String(contentsOf: root.appending(path: mutant.file), encoding: .utf8)
            #expect(throws: Never.self) {
                let planted = try mutant.plant(into: source)
                #expect(planted.contains("planted(\"\(mutant.name)\")"))
            }
        }
    }
}
