import Membership
import OperationLogFixtures
import Testing

@testable import Simulation

/// Two readings of one specification: what the product says of random graphs, and what the naive judge says.
@Suite("The naive judge and the resolver")
struct NaiveMembershipAgreementTests {
    @Test(arguments: 1...500 as ClosedRange<UInt64>)
    func `agree on random graphs`(seed: UInt64) throws {
        let graph = RandomActions(seed: seed, count: 8 + Int(seed % 33), people: 3 + Int(seed % 6))
        let naive = try NaiveMembership(judging: graph.operations, capacity: graph.capacity) { Array($0.utf8) }
        var resolver = MembershipResolver<String, String, String>(capacity: graph.capacity) { TieBreaker($0.utf8) }
        for operation in graph.operations { resolver.insert(Self.operation(operation)) }
        #expect(Set(naive.void.keys) == Set(resolver.void), "seed \(seed)")
        #expect(
            naive.members.map { "\($0.person) \($0.role)" }
                == resolver.state.members.map { "\($0.person) \($0.role.name)" }, "seed \(seed)")
        #expect(naive.waitlist.map(\.person) == resolver.state.waitlist.map(\.person), "seed \(seed)")
        #expect(naive.actingAdmin == resolver.state.actingAdmin, "seed \(seed)")
        #expect(naive.isArchived == resolver.state.isArchived, "seed \(seed)")
        let registers = resolver.state.registers.map { (Array($0.text.utf8), Array($1.utf8)) }
        #expect(naive.registers == Dictionary(uniqueKeysWithValues: registers), "seed \(seed)")
    }

    @Test func `agree that only higher ranks interfere`() throws {
        var changes = 0
        for seed in 1...40 as ClosedRange<UInt64> {
            let graph = RandomActions(seed: seed, count: 30, people: 5)
            var before = try judge(graph.operations.prefix(1))
            for count in 2...graph.operations.count {
                let now = try judge(graph.operations.prefix(count))
                #expect(now.interference(since: before) == [], "seed \(seed), operation \(count - 1)")
                changes += before.operations.count { (now.void[$0.id] == nil) != (before.void[$0.id] == nil) }
                before = now
            }
        }
        #expect(changes > 20, "the graphs are too tame to tell")
    }

    private func judge(_ operations: some Sequence<RandomActions.Operation>) throws -> NaiveMembership<String, String> {
        try NaiveMembership(judging: Array(operations)) { Array($0.utf8) }
    }

    @Test func `a change that nothing explains is found`() throws {
        let graph = RandomActions(seed: 3, count: 30, people: 5)
        let judged = try NaiveMembership(judging: graph.operations) { Array($0.utf8) }
        let other = try NaiveMembership(
            judging: graph.operations.map { operation in
                guard operation.id == "1" else { return operation }
                return NaiveOperation(
                    id: operation.id, author: operation.author, parents: operation.parents,
                    action: .add(under: .unreadable, targets: []))
            }
        ) { Array($0.utf8) }
        #expect(!judged.interference(since: other).isEmpty)
    }

    // MARK: - The words of the other side

    private static func operation(_ naive: NaiveOperation<String, String>) -> MembershipOperation<
        String, String, String
    > {
        MembershipOperation(
            id: naive.id, author: naive.author, device: naive.device.map { String(decoding: $0, as: UTF8.self) },
            parents: naive.parents, action: action(naive.action))
    }

    private static func action(_ action: NaiveAction<String, String>) -> Action<String, String, String> {
        switch action {
        case .create: .create
        case .add(let under, let targets): .add(authority(under), targets)
        case .invite(let under, let target): .invite(authority(under), target)
        case .join(let invite): .join(invite ?? "none")
        case .decline(let invite): .decline(invite ?? "none")
        case .cancel(let under, let invite): .cancel(authority(under), invite ?? "none")
        case .remove(let under, let target): .remove(authority(under), target)
        case .promote(let under, let target, let role): .promote(authority(under), target, self.role(role))
        case .demote(let under, let target, let role): .demote(authority(under), target, self.role(role))
        case .set(let under, let field, let value):
            .set(
                authority(under), field: String(decoding: field, as: UTF8.self),
                value: String(decoding: value, as: UTF8.self))
        case .ratify(let under, let keep, let bans):
            .ratify(authority(under), keep: keep.map { Kept($0.person, role($0.role)) }, bans: bans)
        case .device: .device
        case .revoke(let person, let device, let pins):
            .revoke(person, String(decoding: device, as: UTF8.self), pins: pins)
        case .merge: .merge
        case .leave: .leave
        case .stepdown: .stepdown
        }
    }

    private static func authority(_ authority: NaiveAuthority<String>) -> Authority<String> {
        switch authority {
        case .acting: .acting
        case .grant(let id, let slot): .grant(id, slot: slot)
        case .unreadable: .grant("none", slot: 0)
        }
    }

    private static func role(_ role: NaiveRole) -> Role {
        switch role {
        case .member: .member
        case .moderator: .moderator
        case .admin: .admin
        case .founder: .founder
        }
    }
}
