import Conversations
import Cryptography
import OperationLog
import OperationLogFixtures
import Testing

@testable import NodeCore

@Suite("What false keys and false complaints make a node write")
struct ComplaintTests {
    private var fixture: StrangerGroupFixture
    private var random = SplitMix64(seed: 12)

    init() throws {
        fixture = try StrangerGroupFixture()
        try fixture.addAlice()
    }

    /// Epochs of a person, each of which opens for everybody, or for everybody but Alice.
    private mutating func epochs(_ count: Int, by person: Person, isBroken: Bool) throws -> [Operation] {
        let view = try fixture.view()
        let alice = fixture.alice.device.id
        let drafts = try (0..<count).map { _ in
            let key = EpochKey.generate(using: &random)
            let wraps = try view.readers.map { reader in
                isBroken && reader.device == alice
                    ? [UInt8](repeating: 1, count: EpochBody.wrapByteCount)
                    : try SealedBox.seal(key.secret, to: reader.wrapKey, using: &random)
            }
            return ConversationLog.Draft(type: .epoch, bodyLength: EpochBody.byteCount(of: wraps.count)) { header in
                EpochBody(view: view.id, commitment: key.commitment(of: header, view: view.id), wraps: wraps).encoded
            }
        }
        return try fixture.write(content: drafts, by: person)
    }

    /// How much content Alice's node has written.
    private var written: Int {
        let log = fixture.alice.replicas[fixture.log.conversation]?.log
        return Int(log?.contentFrontier.sequenceNumber(of: fixture.alice.device.id) ?? 0)
    }

    @Test mutating func `is complained of a part at a time, and of everybody's keys in turn`() throws {
        let many = try epochs(150, by: fixture.bob, isBroken: true)
        let one = try epochs(1, by: fixture.carol, isBroken: true)
        fixture.tell(content: many + one)
        #expect(written == NodeCore.maximumComplaintsPerCommit)
        let carols = try #require(one.first).id
        let epochs = try #require(fixture.alice.replicas[fixture.log.conversation]).epochs
        #expect(epochs.complained.contains(carols))
        fixture.alice.handle(.tick, at: StrangerGroupFixture.moment)
        #expect(written == 2 * NodeCore.maximumComplaintsPerCommit)
        for _ in 0..<3 { fixture.alice.handle(.tick, at: StrangerGroupFixture.moment) }
        #expect(written == 151)
    }

    @Test mutating func `is answered a part at a time, and everybody's complaints in turn`() throws {
        let many = try epochs(150, by: fixture.bob, isBroken: false)
        let last = try #require(many.map(\.id).max())
        let complaints = try fixture.write(
            content: many.map { .init(type: .complaint, epoch: $0.id, body: []) }, by: fixture.carol)
        let honest = try fixture.write(
            content: [.init(type: .complaint, epoch: last, body: [])], by: fixture.bob)
        fixture.tell(content: many + complaints + honest)
        #expect(written == NodeCore.maximumComplaintsPerCommit)
        let (bob, carol) = (fixture.bob.device, fixture.carol.device)
        let replica = try #require(fixture.alice.replicas[fixture.log.conversation])
        #expect(replica.epochs.all[last]?.complaints.contains(bob) == false)
        for _ in 0..<5 { fixture.alice.handle(.tick, at: StrangerGroupFixture.moment) }
        #expect(written == 151)
        let settled = try #require(fixture.alice.replicas[fixture.log.conversation]).epochs
        #expect(settled.complained.isEmpty)
        #expect(settled.all.values.allSatisfy { !$0.complaints.contains(carol) })
    }

    @Test mutating func `of who is out is answered no more`() throws {
        let one = try epochs(1, by: fixture.bob, isBroken: false)
        let id = try #require(one.first).id
        let complaint = try fixture.write(content: [.init(type: .complaint, epoch: id, body: [])], by: fixture.carol)
        let carol = fixture.carol.user
        try fixture.decide(fixture.bob) { .remove(under: $0, target: carol, pins: []) }
        fixture.tell()
        fixture.tell(content: one + complaint)
        for _ in 0..<3 { fixture.alice.handle(.tick, at: StrangerGroupFixture.moment) }
        #expect(written == 0)
    }
}
