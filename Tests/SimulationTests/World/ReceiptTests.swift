import Conversations
import OperationLog
import Replication
import Storage
import Testing
import Time

@testable import NodeCore
@testable import Simulation

/// What Alice's node makes of what others say they got and read: Bob and Carol, who are in Alice's group, and Dave,
/// whom Alice adds after them message.
@Suite("Receipts in a node")
struct ReceiptTests {
    private let alice: Host
    private let bob: Host
    private let dave: Host
    private let conversation: ConversationID
    private let now: Int
    private var core: NodeCore

    init() throws {
        func step(_ at: Int, _ host: Int, _ kind: Step.Kind, other: Int = 0, value: Int = 1) -> Step {
            Step(at: at, host: host, kind: kind, conversation: 1, other: other, value: value)
        }
        var plan = Plan(seed: 1, profile: .calm, nodes: 4, operations: 0)
        plan.steps = [
            step(3_000, 0, .create, value: 2), step(5_000, 1, .send, value: 3), step(7_000, 0, .send, other: 1),
            step(9_000, 0, .add, other: 3), step(12_000, 3, .read, value: 5),
        ]
        plan.end = 15_000
        let world = World(plan)
        try #require(world.run().violations.isEmpty)
        (alice, bob, dave) = (world.hosts[0], world.hosts[1], world.hosts[3])
        conversation = try #require(world.conversations.first)
        now = world.now
        core = try #require(alice.core)
    }

    /// What Bob says of Alice's chain.
    private func record(version: UInt64, upTo number: UInt64) -> ReceiptRecord {
        ReceiptRecord(
            by: bob.keys.author, in: conversation, version: version, time: bob.moment(at: now).wall,
            marks: [alice.device: .init(received: number, read: number)])
    }

    private mutating func hear(_ record: ReceiptRecord) {
        core.tellReceipts(.heard(.receipts([record.encoded]), of: conversation, from: PeerHandle(rawValue: .max)))
    }

    @Test mutating func `who could not read a message neither holds nor read it`() throws {
        let known = try #require(core.receipts[conversation])
        #expect(core.isHeldElsewhere(conversation))
        let daves = try #require(known.kept[dave.device])
        #expect(daves.record.marks[alice.device]?.read ?? 0 > 0, "they read what came after it")
        core.receipts[conversation] = Receipts(of: alice.device, kept: [daves])
        #expect(!core.isHeldElsewhere(conversation))
        #expect(core.readers(of: conversation).isEmpty)
        let last = try #require(
            alice.disk.image.operations(of: conversation, lane: .content).last {
                $0.author.id == alice.device
            })
        hear(record(version: .max, upTo: last.header.sequenceNumber))
        #expect(core.isHeldElsewhere(conversation))
        #expect(core.readers(of: conversation) == [bob.user])
    }

    @Test mutating func `who boasts of what is not written yet has not received it`() throws {
        hear(record(version: .max, upTo: Limits.maximumSequenceNumber))
        #expect(core.readers(of: conversation) == [bob.user])
        let sent = try core.send(["later"], to: conversation, at: alice.moment(at: now + 1_000))
        let message = try #require(sent.last?.operation)
        let known = core.receipts(for: message, in: conversation)
        #expect(known.phase == .pending)
    }

    @Test mutating func `a disk that takes receipts again is in order`() {
        let version = UInt64.max - 2
        alice.disk.condition = .full
        hear(record(version: version, upTo: 1))
        #expect(core.lastStorageError == .diskFull)
        alice.disk.condition = .healthy
        hear(record(version: version + 1, upTo: 2))
        #expect(core.lastStorageError == nil)
    }

    @Test(arguments: [8, 32])
    func `a message costs a group as many receipts as it has readers`(members: Int) throws {
        var plan = Plan(seed: 1, profile: .calm, nodes: members, operations: 0)
        plan.steps = [
            Step(at: 3_000, host: 0, kind: .create, conversation: 1, other: 0, value: members),
            Step(at: 20_000, host: 0, kind: .send, conversation: 1, other: 0, value: 1),
        ]
        plan.end = 30_000
        let world = World(plan)
        world.run(until: 19_900_000)
        let group = try #require(world.conversations.first)
        #expect(world.hosts.allSatisfy { $0.core?.replicas[group]?.group.members.count == members })
        let place = PeerMessage.LaneSlot(slot: 0, lane: .content)
        let kind = TrafficKind(of: PeerMessage.conversation(place, .receipts(.receipts([], absent: []))).encoded)
        let before = world.tally.messagesByKind
        world.run(until: 25_000_000)
        #expect(world.tally.messagesByKind.since(before).counts[kind]?.messages == members - 1)
        let known = try #require(world.hosts[0].core?.receipts[group])
        #expect(known.kept.values.count { $0.record.marks[world.hosts[0].device] != nil } == members - 1)
    }

    /// Bob's node tells what it received of Alice's while Alice's host is gone: with notice, or with its lid closed.
    @Test(arguments: [false, true])
    func `who comes back when the reader is gone learns of them from somebody else`(isLidClosed: Bool) throws {
        var plan = Plan(seed: 1, profile: .calm, nodes: 3, operations: 0)
        plan.steps = [
            Step(at: 3_000, host: 0, kind: .create, conversation: 1, other: 0, value: 3),
            Step(at: 12_000, host: 0, kind: .send, conversation: 1, other: 0, value: 1),
        ]
        plan.end = 90_000
        let world = World(plan)
        let (author, reader) = (world.hosts[0], world.hosts[1])
        world.run(until: 12_050_000)
        let group = try #require(world.conversations.first)
        let written = try #require(author.core?.replicas[group]).log.contentFrontier.sequenceNumber(of: author.device)
        let known = { author.core?.receipts[group]?[reader.device]?.marks[author.device]?.received ?? 0 }
        #expect(known() < written)
        author.downtime = 20_000_000
        if isLidClosed { world.losePower(author) } else { world.kill(author) }
        world.run(until: 20_000_000)
        #expect(reader.core?.receipts[group]?[reader.device]?.marks[author.device]?.received == written)
        reader.downtime = 60_000_000
        world.losePower(reader)
        world.run(until: 45_000_000)
        #expect(reader.core == nil)
        #expect(known() == written)
    }

    @Test mutating func `what is wanted is not looked up, however often this device says what it has`() {
        let chain = alice.disk.image.operations(of: conversation, lane: .content).filter { $0.author.id == bob.device }
        #expect(chain.count >= 3)
        core.replicas[conversation]?.wanted = WantedBodies(chain.map(WantedBody.init))
        settle(after: 10_000_000)
        #expect(core.receipts[conversation]?[alice.device]?.marks[bob.device] == nil)
        let lookups = alice.disk.lookups
        for round in 2...5 { settle(after: 10_000_000 * round) }
        #expect(alice.disk.lookups == lookups)
        core.replicas[conversation]?.wanted = WantedBodies()
        settle(after: 100_000_000)
        #expect(core.receipts[conversation]?[alice.device]?.marks[bob.device]?.received == UInt64(chain.count))
    }

    private mutating func settle(after microseconds: Int) {
        core.tellReceipts(.changed(conversation))
        core.moment = alice.moment(at: now + microseconds)
        core.tellReceipts(.tick)
    }
}
