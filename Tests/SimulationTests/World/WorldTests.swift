import Foundation
import Simulation
import Testing

/// Small worlds, as they run in `moot-sim`; that one runs large ones, and many.
@Suite("A simulated world")
struct WorldTests {
    @Test(arguments: Profile.allCases, [1, 2] as [UInt64])
    func `keeps every invariant`(profile: Profile, seed: UInt64) {
        let outcome = World(Plan(seed: seed, profile: profile, nodes: 5, operations: 80)).run()
        #expect(outcome.violations.isEmpty)
        #expect(outcome.tally.written > 20)
        #expect(outcome.tally.deliveries > outcome.tally.written)
    }

    @Test(arguments: Profile.allCases)
    func `happens again in the same way with the same seed, and otherwise with another`(profile: Profile) {
        let plan = Plan(seed: 7, profile: profile, nodes: 4, operations: 40)
        let first = World(plan).run()
        #expect(World(plan).run().trace == first.trace)
        #expect(World(Plan(seed: 8, profile: profile, nodes: 4, operations: 40)).run().trace != first.trace)
    }

    @Test
    func `checks every invariant`() {
        var checks: Set<Int> = []
        for profile in Profile.allCases {
            for seed in 1...2 as ClosedRange<UInt64> {
                let plan = Plan(seed: seed, profile: profile, nodes: 6, operations: 200, devices: seed == 1 ? 2 : 0)
                let outcome = World(plan).run()
                checks.formUnion(outcome.tally.checks.filter { $0.value > 0 }.keys)
            }
        }
        for seed in 1...6 as ClosedRange<UInt64> {
            let plan = Plan(seed: seed, profile: .calm, nodes: 6, operations: 200, devices: 4)
            checks.formUnion(World(plan).run().tally.checks.filter { $0.value > 0 }.keys)
        }
        for seed in 1...4 as ClosedRange<UInt64> {
            let plan = Plan(seed: seed, profile: .byzantine, nodes: 6, operations: 100, siege: .intrude)
            checks.formUnion(World(plan).run().tally.checks.filter { $0.value > 0 }.keys)
        }
        #expect(Set(Invariant.allCases.map(\.rawValue)).subtracting(checks).isEmpty)
    }

    @Test(arguments: try traces())
    func `keeps its invariants where it once broke one`(trace: URL) throws {
        let plan = try JSONDecoder().decode(Plan.self, from: Data(contentsOf: trace))
        #expect(plan.flaw == nil)
        #expect(World(plan).run().violations.isEmpty)
    }

    private static func traces() throws -> [URL] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Traces")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "json" }
        return files.sorted { $0.path < $1.path }
    }
}
