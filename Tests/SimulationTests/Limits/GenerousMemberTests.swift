import Conversations
import Cryptography
import Membership
import OperationLog
import OperationLogFixtures
import Replication
import Testing
import Time

@testable import NodeCore
@testable import Simulation

/// Alice, Bob and Carol are in a group. Bob writes what no program of ours would, and as much of it as they like: the
/// others take it, give it to each other and to them, and never send more than whoever reads it takes. The fixture
/// itself looks whether they do.
@Suite("What a member made as large as they like is passed on in parts")
struct GenerousMemberTests {
    private static let (alice, bob, carol) = (0, 1, 2)
    private let fixture: FileNodesFixture
    private let group: ConversationID

    init() throws {
        let fixture = try FileNodesFixture("Alice", "Bob", "Carol")
        for (one, other) in [(0, 1), (0, 2), (1, 2)] { fixture.connect(one, other) }
        fixture.pass(.seconds(1))
        group = try fixture.at(Self.alice) { core, moment in
            try core.createGroup(name: "Ship", members: [fixture.user(Self.bob), fixture.user(Self.carol)], at: moment)
        }
        fixture.pass(.seconds(1))
        self.fixture = fixture
    }

    private func log(of node: Int) throws -> ConversationLog {
        try #require(fixture.nodes[node].core.replicas[group]).log
    }

    private func slot(of node: Int, for other: Int, _ lane: Lane) throws -> PeerMessage.LaneSlot {
        let handle = try #require(fixture.nodes[node].lines.first { $0.value.node == other }).key
        let slot = try #require(fixture.nodes[node].core.replicator.slots(for: handle)[group])
        return PeerMessage.LaneSlot(slot: slot, lane: lane)
    }

    /// Messages of Bob's device, each after another one or the first of their chain.
    private func messages(_ bodies: [[UInt8]], inOneChain: Bool) throws -> [Operation] {
        let log = try log(of: Self.bob)
        let author = fixture.nodes[Self.bob].person.author
        var operations: [Operation] = []
        for (number, body) in bodies.enumerated() {
            let previous = inOneChain ? operations.last : nil
            let header = OperationHeader(
                type: .message, conversation: group, lane: .content, device: author.device.id,
                sequenceNumber: (previous?.header.sequenceNumber ?? 0) + 1, previous: previous?.id, dependencies: [],
                membershipHeads: log.membership.heads, time: fixture.moment.wall, bodyLength: body.count,
                bodyDigest: Operation.digest(of: body))
            let isSigned = !inOneChain || number == bodies.count - 1
            operations.append(author.write(header, body: body, signing: isSigned))
        }
        return operations
    }

    private func push(_ operations: [Operation], to node: Int) throws {
        let batch = Batch(lane: .content, operations: operations)
        fixture.push(
            .lane(try slot(of: Self.bob, for: node, .content), .batch(isAnswer: false, batch.encoded)), from: Self.bob,
            to: node)
    }

    private func expectPeace() {
        for node in fixture.nodes { #expect(node.closed.isEmpty, "nobody is turned away") }
    }

    @Test func `the past of a removal proof`() throws {
        let noise = Array(repeating: 9 as UInt8, count: Limits.maximumBodyBytes)
        try fixture.at(Self.bob) { core, _ in
            try core.write(in: group) { log, author, time throws(MalformedBytes) in
                try log.write(
                    membership: (0..<70).map { _ in .init(type: OperationType(rawValue: 99), body: noise) }, by: author,
                    at: time)
            }
        }
        fixture.pass(.seconds(3))
        let held = try log(of: Self.alice).membership.operations.count
        #expect(held > 70)
        try fixture.at(Self.bob) { try $0.leave(group, at: $1) }
        fixture.pass(.seconds(1))
        let before = fixture.mail.count
        let nothing = ChainPart(of: Frontier(), after: nil)
        fixture.push(
            .lane(try slot(of: Self.bob, for: Self.alice, .membership), .chains(isWanted: true, nothing)),
            from: Self.bob,
            to: Self.alice)
        fixture.pass(.seconds(1))
        var told: [OperationID] = []
        var batches = 0
        for (from, to, message) in fixture.mail[before...] where from == Self.alice && to == Self.bob {
            guard case .lane(_, .batch(true, _, let bytes)) = message else { continue }
            told += try Batch(decoding: bytes, of: group).operations.map(\.id)
            batches += 1
        }
        #expect(batches >= 5)
        #expect(told.count == Set(told).count && told.count > 70)
        expectPeace()
    }

    @Test func `a long burst whose bodies came later`() throws {
        fixture.disconnect(Self.carol, Self.alice)
        fixture.disconnect(Self.carol, Self.bob)
        let bodies = (0..<Limits.maximumBatchOperations).map { number in
            [UInt8(number & 0xFF), UInt8(number >> 8)] + Array(repeating: 0 as UInt8, count: 1_100)
        }
        let burst = try messages(bodies, inOneChain: true)
        try push(burst.map(\.withoutBody), to: Self.alice)
        let ordered = burst.sorted { $0.id < $1.id }
        for start in stride(from: 0, to: ordered.count, by: PeerMessage.maximumBodies) {
            let part = ordered[start..<min(ordered.count, start + PeerMessage.maximumBodies)]
            fixture.push(
                .conversation(
                    try slot(of: Self.bob, for: Self.alice, .content),
                    .bodies(.found(part.map { .init(operation: $0.id, bytes: $0.body ?? []) }))), from: Self.bob,
                to: Self.alice)
        }
        #expect(fixture.nodes[Self.alice].core.replicas[group]?.wanted.isEmpty == true)
        fixture.connect(Self.carol, Self.alice)
        fixture.pass(.seconds(5))
        #expect(try log(of: Self.carol).contentFrontier == (try log(of: Self.alice).contentFrontier))
        #expect(
            fixture.nodes[Self.carol].core.replicas[group]?.wanted.isEmpty == true, "they ask for what was left out")
        expectPeace()
    }

    @Test func `600 branches, and who made them can be taken out`() throws {
        try fixture.at(Self.alice) {
            try $0.setRole(of: fixture.user(Self.carol), in: group, to: .admin, at: $1)
        }
        let branches = try messages((0..<600).map { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }, inOneChain: false)
        try push(Array(branches[..<300]), to: Self.alice)
        try push(Array(branches[300...]), to: Self.carol)
        fixture.pass(.seconds(5))
        for node in fixture.nodes.indices {
            #expect(try log(of: node).contentFrontier.tips[fixture.nodes[Self.bob].person.device]?.count == 600)
        }
        try fixture.at(Self.alice) { try $0.remove(fixture.user(Self.bob), from: group, at: $1) }
        fixture.pass(.seconds(1))
        // The founder leaves: the next admin ratifies the ban, now and after a restart.
        try fixture.at(Self.alice) { try $0.leave(group, archive: true, at: $1) }
        fixture.pass(.seconds(1))
        try fixture.restart(Self.carol)
        fixture.pass(.seconds(1))
        let carol = try #require(fixture.nodes[Self.carol].core.replicas[group]).group
        #expect(carol.members.map(\.user) == [fixture.user(Self.carol)])
        #expect(
            carol.history.contains { entry in
                if case .ratify(_, _, let bans) = entry.body {
                    Set(bans.map(\.user)) == [fixture.user(Self.bob), fixture.user(Self.alice)]
                } else {
                    false
                }
            })
        expectPeace()
    }

    @Test func `thousands of operations that a node wrote at once`() throws {
        try fixture.at(Self.alice) { try $0.send(["hello"], to: group, at: $1) }
        let epoch = try #require(fixture.nodes[Self.alice].core.replicas[group]?.epochs.all.keys.first)
        try fixture.at(Self.alice) { core, _ in
            try core.write(in: group) { log, author, time throws(MalformedBytes) in
                try log.write(
                    content: (0..<2 * Limits.maximumBatchOperations + 1).map { _ in
                        .init(type: .complaint, epoch: epoch, body: [])
                    }, by: author, at: time)
            }
        }
        fixture.pass(.seconds(1))
        for node in [Self.bob, Self.carol] {
            #expect(try log(of: node).contentFrontier == (try log(of: Self.alice).contentFrontier))
        }
        expectPeace()
    }

    @Test func `more bytes at once than a peer takes, of which the rest is asked for`() throws {
        let before = fixture.mail.count
        try fixture.at(Self.alice) { core, _ in
            try core.write(in: group) { log, author, time throws(MalformedBytes) in
                try log.write(
                    content: (0..<100).map { _ in
                        .init(type: .message, body: Array(repeating: 1, count: Limits.maximumBodyBytes))
                    }, by: author, at: time)
            }
        }
        let pushed = fixture.mail[before...].reduce(0) { bytes, letter in
            if case .lane(_, .batch(false, _, let batch)) = letter.message, letter.to == Self.bob {
                bytes + batch.count
            } else {
                bytes
            }
        }
        #expect(pushed < 2 * SecureChannel.maximumMessageBytes / 4 + Limits.targetBatchBytes)
        fixture.pass(.seconds(3))
        for node in [Self.bob, Self.carol] {
            #expect(try log(of: node).contentFrontier == (try log(of: Self.alice).contentFrontier))
        }
        expectPeace()
    }

    @Test(arguments: [PeerMessage.maximumBodies - 1, PeerMessage.maximumBodies, PeerMessage.maximumBodies + 1])
    func `a question for so many bodies`(count: Int) throws {
        fixture.disconnect(Self.carol, Self.alice)
        fixture.disconnect(Self.carol, Self.bob)
        let burst = try messages((0..<count).map { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }, inOneChain: true)
        let before = fixture.mail.count
        try push(burst.map(\.withoutBody), to: Self.alice)
        fixture.pass(.seconds(60))
        let asked = fixture.mail[before...].compactMap { letter in
            if case .conversation(_, .bodies(.wanted(let ids))) = letter.message, letter.from == Self.alice {
                ids
            } else {
                nil
            }
        }
        #expect(Set(asked.joined()) == Set(burst.map(\.id)), "everything is asked for")
        #expect(asked.map(\.count).max() == min(count, PeerMessage.maximumBodies))
        expectPeace()
    }
}
