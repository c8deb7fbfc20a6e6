import Foundation
import Membership
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

    /// An admin may do all this; of a plain member it would be a hole.
    @Test(arguments: [
        ("remove", Action<String, String, String>.remove(.grant("2", slot: 1), "C"), [Attack.Hole.lockout]),
        ("promote", .promote(.grant("2", slot: 1), "C", .admin), [.favor]),
        ("demote", .demote(.grant("2", slot: 1), "M", .member), [.lockout, .favor, .verdict]),
        ("set", .set(.grant("2", slot: 1), field: "name", value: "captured"), [.register]),
        (
            "made-up", .ratify(.grant("2", slot: 1), keep: [Kept("C", .moderator)], bans: ["M"]),
            [.lockout, .favor, .verdict]
        ),
        ("leave", .leave, []),
    ])
    func `is found out`(name: String, action: Action<String, String, String>, holes: [Attack.Hole]) {
        let root = Authority.grant("0", slot: 0)
        let history: [Ledger.Operation] = [
            .init(id: "0", author: "A", parents: [], action: .create),
            .init(id: "1", author: "A", parents: ["0"], action: .add(root, ["B", "C", "M", "D"])),
            .init(id: "2", author: "A", parents: ["1"], action: .promote(root, "B", .admin)),
            .init(id: "3", author: "A", parents: ["2"], action: .promote(root, "M", .moderator)),
            .init(id: "4", author: "M", parents: ["3"], action: .remove(.grant("3", slot: 1), "D")),
        ]
        let attack = Attack(
            on: history, by: "B", [.init(id: "h0", author: "B", parents: ["3"], action: action)])
        #expect(attack.holes(in: attack.history + attack.operations).holes == holes, "\(name)")
    }

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
