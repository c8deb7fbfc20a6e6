import Conversations
import Membership
import OperationLog
import OperationLogFixtures
import Testing

@testable import Simulation

/// Operations as they travel, judged from their bodies.
@Suite("The naive judge and a group")
struct NaiveMembershipGroupTests {
    private var neighbors: Neighbors

    init() throws {
        var random = SplitMix64(seed: 11)
        neighbors = try Neighbors(5, using: &random)
    }

    /// Compares what a replica's group says with what the naive judge says of the same operations.
    private func expectAgreement(at person: Int, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let log = neighbors.oracle(of: person)
        let lane = log.operations(in: .membership)
        var group = Group(conversation: neighbors.conversation, root: .group)
        group.insert(lane)
        let naive = try NaiveMembership(
            judging: try lane.map { try NaiveOperation($0) }, of: neighbors.conversation)
        #expect(
            naive.members.map { "\($0.person) \($0.role)" } == group.members.map { "\($0.user) \($0.role.name)" },
            sourceLocation: sourceLocation)
        #expect(naive.actingAdmin == group.actingAdmin, sourceLocation: sourceLocation)
        #expect(
            Set(naive.void.keys) == Set(group.history.filter { $0.voidReason != nil }.map(\.operation.id)),
            sourceLocation: sourceLocation)
        #expect(
            log.hybridTimes(of: .membership)
                == Dictionary(uniqueKeysWithValues: group.history.map { ($0.operation.id, $0.hybridTime) }),
            sourceLocation: sourceLocation)
        #expect(
            naive.registers[Array("name".utf8)] == group.name.map { Array($0.utf8) }, sourceLocation: sourceLocation)
    }

    /// The grant made at a slot by the last membership operation that a person wrote.
    private func grant(by person: Int, slot: UInt64) throws -> MembershipBody.Authority {
        let device = neighbors.people[person].device
        let last = neighbors.held[person].last {
            $0.operation.header.lane == .membership && $0.operation.author.id == device
        }
        return .grant(operation: try #require(last).operation.id, slot: slot)
    }

    @Test mutating func `agree on a duel, a departure and a successor`() throws {
        let founder = MembershipBody.Authority.grant(operation: neighbors.creation.id, slot: 0)
        let users = neighbors.people.map(\.user)
        try neighbors.write(.promote(under: founder, target: users[1], role: .admin), by: 0)
        let first = try grant(by: 0, slot: 1)
        try neighbors.write(.promote(under: founder, target: users[2], role: .admin), by: 0)
        let second = try grant(by: 0, slot: 1)
        for person in 1...4 { try neighbors.hear(from: 0, at: person) }
        try expectAgreement(at: 0)

        // Both admins remove each other; only one was ever able to.
        try neighbors.write(.remove(under: first, target: users[2], pins: []), by: 1)
        try neighbors.write(.set(under: second, field: "name", value: "Ship"), by: 2)
        try neighbors.write(.remove(under: second, target: users[1], pins: []), by: 2)
        try neighbors.write(
            .ratify(
                under: second, keep: [.init(user: users[3], role: .moderator)],
                bans: [.init(user: users[1], pins: [])]), by: 2)
        try neighbors.hear(from: 1, at: 0)
        try neighbors.hear(from: 2, at: 0)
        try expectAgreement(at: 0)
        try expectAgreement(at: 2)

        // The admins go, and the oldest member acts.
        try neighbors.write(.leave(pins: []), by: 0)
        try neighbors.hear(from: 0, at: 1)
        try neighbors.write(.stepdown, by: 1)
        for person in 3...4 { try neighbors.hear(from: 1, at: person) }
        try expectAgreement(at: 4)
        for person in 3...4 {
            try neighbors.write(.set(under: .acting, field: "name", value: "Boat \(person)"), by: person)
        }
        try neighbors.hear(from: 3, at: 4)
        try expectAgreement(at: 4)
    }
}
