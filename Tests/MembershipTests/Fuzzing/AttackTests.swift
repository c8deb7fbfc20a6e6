import Foundation
import Testing

/// A search for holes in the rules: what somebody hostile writes into honest histories.
///
/// `MOOT_ATTACKS=200000 swift test --filter AttackTests` searches for minutes, with ten times as many for hours.
@Suite("Somebody hostile")
struct AttackTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let count = environment["MOOT_ATTACKS"].flatMap { UInt64($0) } ?? 2_000
    /// `MOOT_TEST_SEED` repeats a search.
    private static let seed = environment["MOOT_TEST_SEED"].flatMap { UInt64($0) } ?? .random(in: .min ... .max)
    private static let parts: UInt64 = 4

    @Test(arguments: 0..<parts)
    func `opens no hole`(part: UInt64) {
        var (attacks, effective) = (0, 0)
        for number in 0..<Self.count / Self.parts {
            let seed = Self.seed &+ part << 40 &+ number
            guard let attack = Attack(seed: seed) else { continue }
            let all = attack.history + attack.operations
            let (holes, counted) = attack.holes(in: all)
            attacks += 1
            effective += counted
            guard let hole = holes.first else { continue }
            let smallest = Shrinking.smallest(of: all) { attack.holes(in: $0).holes.contains(hole) }
            let line = ScenarioLine(
                label: "\(hole) by \(attack.hostile[0])", capacity: attack.capacity, operations: smallest)
            Issue.record("MOOT_TEST_SEED=\(Self.seed), seed \(seed): \(holes)\n\(line)")
            return
        }
        // Else nothing would have been tried.
        #expect(attacks > Int(Self.count / Self.parts) / 3)
        #expect(effective > attacks / 20, "\(effective) hostile operations count, of \(attacks) attacks")
    }
}
