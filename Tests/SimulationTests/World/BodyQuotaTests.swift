import Conversations
import Cryptography
import OperationLog
import OperationLogFixtures
import Storage
import Testing
import Time

@testable import NodeCore
@testable import Replication
@testable import Simulation

/// What Alice's node keeps of a group to which Bob, whom Alice does not know, added Alice, and what it does not.
@Suite("Room for what others write")
struct BodyQuotaTests {
    private var fixture: StrangerGroupFixture
    private var random = SplitMix64(seed: 13)
    private let key: EpochKey
    private let epoch: OperationID

    init() throws {
        fixture = try StrangerGroupFixture()
        try fixture.addAlice()
        let key = EpochKey.generate(using: &random)
        let made = try fixture.write(content: [Self.draft(of: key, &fixture, &random)], by: fixture.bob)
        fixture.tell(content: made)
        (self.key, epoch) = (key, try #require(made.first).id)
    }

    private static func draft(
        of key: EpochKey, _ fixture: inout StrangerGroupFixture, _ random: inout SplitMix64
    ) throws -> ConversationLog.Draft {
        let view = try fixture.view()
        let wraps = try view.readers.map { try SealedBox.seal(key.secret, to: $0.wrapKey, using: &random) }
        return ConversationLog.Draft(type: .epoch, bodyLength: EpochBody.byteCount(of: wraps.count)) { header in
            EpochBody(view: view.id, commitment: key.commitment(of: header, view: view.id), wraps: wraps).encoded
        }
    }

    /// A person writes texts of 16,000 bytes, and Alice's node hears them.
    @discardableResult
    private mutating func write(_ count: Int, by person: Person) throws -> [Operation] {
        let text = try #require(MessageBody(text: String(repeating: "x", count: 16_000)))
        let (key, nonce) = (key, random.bytes(ExtendedNonceCipher.nonceByteCount))
        let draft = ConversationLog.Draft(
            type: .message, epoch: epoch, bodyLength: EpochKey.bodyLength(of: text.encoded)
        ) { header in key.seal(text.encoded, for: header, nonce: nonce) }
        let written = try fixture.write(content: Array(repeating: draft, count: count), by: person)
        fixture.tell(content: written)
        return written
    }

    private func readings(of operations: [Operation]) throws -> [Reading] {
        var core = fixture.alice
        return try operations.map { operation in
            let stored = try #require(try core.storage.operation(operation.id, of: fixture.log.conversation))
            return core.read(stored, in: fixture.log.conversation)
        }
    }

    /// How many bytes of texts are on Alice's disk.
    private var stored: Int {
        get throws {
            try fixture.alice.storage.bodyBytes(in: fixture.log.conversation).values.reduce(0, +)
        }
    }

    private func isOpen(_ reading: Reading) -> Bool {
        if case .open = reading { true } else { false }
    }

    @Test mutating func `in a group that they have not accepted, all texts together have a megabyte`() throws {
        let bobs = try write(50, by: fixture.bob)
        let carols = try write(50, by: fixture.carol)
        #expect(try stored <= BodyQuotas.maximumUnacceptedBytes)
        #expect(try stored > BodyQuotas.maximumUnacceptedBytes - 17_000)
        let replica = try fixture.replica
        #expect(replica.wanted.isEmpty, "what has no room is asked of nobody")
        #expect(replica.log.contentFrontier.digest == fixture.log.contentFrontier.digest, "all headers are here")
        let readings = try readings(of: bobs + carols)
        let firstDeclined = try #require(readings.firstIndex(of: .declined))
        #expect(readings[..<firstDeclined].allSatisfy(isOpen))
        #expect(readings[firstDeclined...].allSatisfy { $0 == .declined })
    }

    @Test mutating func `what has no room has none after a restart`() throws {
        let texts = try write(100, by: fixture.bob)
        let before = try fixture.replica.quotas
        let seen = try readings(of: texts)
        try fixture.restart()
        #expect(try fixture.replica.quotas == before)
        #expect(try readings(of: texts) == seen)
        try write(10, by: fixture.carol)
        #expect(try stored <= BodyQuotas.maximumUnacceptedBytes)
    }

    @Test mutating func `what has no room is not received, nor is what follows it`() throws {
        let texts = try write(100, by: fixture.bob)
        let last = try fixture.write(content: [Self.draft(of: key, &fixture, &random)], by: fixture.bob)
        fixture.tell(content: last)
        let later = Moment(monotonic: Instant(sinceStart: .seconds(30)), wall: StrangerGroupFixture.moment.wall)
        fixture.alice.handle(.tick, at: later)
        let own = fixture.alice.device.id
        let record = fixture.alice.effectiveReceipts(of: fixture.log.conversation).first { $0.device.id == own }
        let declined = try fixture.replica.quotas.declined
        let first = try #require(texts.first { declined.contains($0.id) })
        #expect(record?.marks[fixture.bob.device]?.received == first.header.sequenceNumber - 1)
    }

    @Test mutating func `once they have read there, everything is wanted, comes, and is received`() throws {
        let texts = try write(100, by: fixture.bob)
        let declined = try fixture.replica.quotas.declined
        try fixture.alice.markRead(fixture.log.conversation, at: StrangerGroupFixture.moment)
        fixture.alice.handle(.tick, at: StrangerGroupFixture.moment)
        #expect(try fixture.replica.wanted.operations == declined)
        #expect(try fixture.replica.quotas.declined.isEmpty)
        try fixture.restart()
        #expect(try fixture.replica.wanted.operations == declined)
        fixture.alice.fill(
            texts.map { PeerMessage.Body(operation: $0.id, bytes: $0.body ?? []) }, in: fixture.log.conversation,
            from: PeerHandle(rawValue: 1_000))
        #expect(try readings(of: texts).allSatisfy(isOpen))
        #expect(try stored == texts.reduce(0) { $0 + $1.header.bodyLength })
        let later = Moment(monotonic: Instant(sinceStart: .seconds(30)), wall: StrangerGroupFixture.moment.wall)
        fixture.alice.handle(.tick, at: later)
        let own = fixture.alice.device.id
        let record = fixture.alice.effectiveReceipts(of: fixture.log.conversation).first { $0.device.id == own }
        #expect(record?.marks[fixture.bob.device]?.received == texts.last?.header.sequenceNumber)
    }

    @Test mutating func `what is erased makes room`() throws {
        let texts = try write(100, by: fixture.bob)
        let declined = try fixture.replica.quotas.declined
        let end = Timestamp(clamping: StrangerGroupFixture.moment.wall.milliseconds + 86_400_000 * 2)
        try fixture.alice.keep(
            fixture.log.conversation, days: 1, at: Moment(monotonic: StrangerGroupFixture.moment.monotonic, wall: end))
        for second in 1...3 {
            fixture.alice.handle(.tick, at: Moment(monotonic: Instant(sinceStart: .seconds(second)), wall: end))
        }
        #expect(!declined.isEmpty)
        #expect(try readings(of: texts).allSatisfy { $0 == .erased })
        #expect(try fixture.replica.quotas == BodyQuotas())
    }

    @Test mutating func `keys have room always`() throws {
        try write(100, by: fixture.bob)
        let made = try fixture.write(content: [Self.draft(of: key, &fixture, &random)], by: fixture.bob)
        fixture.tell(content: made)
        let id = try #require(made.first).id
        guard case .held? = try fixture.replica.epochs.all[id]?.key else {
            Issue.record("a key was not taken")
            return
        }
    }

    @Test mutating func `whom they know has room`() throws {
        try fixture.alice.setVerified(true, of: fixture.bob.user, at: StrangerGroupFixture.moment)
        let texts = try write(100, by: fixture.bob)
        #expect(try readings(of: texts).allSatisfy(isOpen))
    }

    @Test mutating func `what their device complains of by itself accepts nothing`() throws {
        let view = try fixture.view()
        let wraps = view.readers.map { _ in [UInt8](repeating: 1, count: EpochBody.wrapByteCount) }
        let key = key
        let broken = ConversationLog.Draft(type: .epoch, bodyLength: EpochBody.byteCount(of: wraps.count)) { header in
            EpochBody(view: view.id, commitment: key.commitment(of: header, view: view.id), wraps: wraps).encoded
        }
        fixture.tell(content: try fixture.write(content: [broken], by: fixture.bob))
        let own = fixture.alice.device.id
        #expect(try fixture.replica.log.contentFrontier.sequenceNumber(of: own) == 1)
        let before = fixture.alice.context.isUnaccepted(try fixture.replica)
        #expect(before)
        try fixture.restart()
        let after = fixture.alice.context.isUnaccepted(try fixture.replica)
        #expect(after)
    }

    @Test mutating func `a membership lane that they have not accepted has so many bytes, and goes on when they have`()
        throws
    {
        var log = fixture.log
        let large = try (0..<80).map { _ in
            try #require(
                log.write(
                    membership: [
                        .init(
                            type: OperationType(rawValue: 99), body: Array(repeating: 1, count: Limits.maximumBodyBytes)
                        )
                    ], by: fixture.bob.author, at: StrangerGroupFixture.moment.wall
                ).last
            ).operation
        }
        func tell() {
            for operation in large {
                fixture.alice.admit(
                    Batch(lane: .membership, operations: [operation]).encoded, to: log.conversation, lane: .membership,
                    from: PeerHandle(rawValue: 1_000))
            }
        }
        tell()
        let held = try fixture.replica.log.membership.operations.reduce(0) { $0 + $1.footprint }
        #expect(held <= NodeCore.maximumUnacceptedLaneBytes)
        #expect(held > NodeCore.maximumUnacceptedLaneBytes - 70_000)
        try fixture.alice.markRead(log.conversation, at: StrangerGroupFixture.moment)
        tell()
        let last = try #require(large.last).id
        #expect(try fixture.replica.log.membership.contains(last))
    }

    /// Bob takes Carol out. Carol does not hear of it and writes 300 more texts, which a friend of Carol's passes to
    /// Alice's node.
    private mutating func writeAfterRemoval() throws -> [Operation] {
        try fixture.alice.markRead(fixture.log.conversation, at: StrangerGroupFixture.moment)
        let carol = fixture.carol.user
        var others = fixture
        try others.decide(fixture.bob) { .remove(under: $0, target: carol, pins: []) }
        fixture.tell(others.log)
        return try (0..<3).flatMap { _ in try write(100, by: fixture.carol) }
    }

    private mutating func tick(afterSeconds seconds: Int) {
        fixture.alice.handle(
            .tick, at: Moment(monotonic: Instant(sinceStart: .seconds(seconds)), wall: StrangerGroupFixture.moment.wall)
        )
    }

    @Test
    mutating func `what is cut off has little room, and takes none from what its author writes as a member again`()
        throws
    {
        let texts = try writeAfterRemoval()
        #expect(try stored <= BodyQuotas.maximumCutOffBytes)
        #expect(try stored > BodyQuotas.maximumCutOffBytes - 17_000)
        let declined = try fixture.replica.quotas.declined
        #expect(declined == Set(texts.map(\.id).suffix(declined.count)))
        #expect(try fixture.replica.log.contentFrontier.digest == fixture.log.contentFrontier.digest)
        let before = try fixture.replica.quotas
        try fixture.restart()
        #expect(try fixture.replica.quotas == before)

        try fixture.listen()
        let carol = fixture.carol.credentials
        try fixture.decide(fixture.bob) { .add(under: $0, targets: [carol]) }
        fixture.tell()
        let news = try write(3, by: fixture.carol)
        tick(afterSeconds: 30)
        #expect(try fixture.replica.quotas.declined == declined)
        let own = fixture.alice.device.id
        let record = fixture.alice.effectiveReceipts(of: fixture.log.conversation).first { $0.device.id == own }
        #expect(record?.marks[fixture.carol.device]?.received == news.last?.header.sequenceNumber)
    }

    @Test mutating func `what is cut off no more is wanted`() throws {
        let dave = fixture.dave.credentials
        try fixture.decide(fixture.bob) { .add(under: $0, targets: [dave]) }
        fixture.tell()
        try fixture.alice.markRead(fixture.log.conversation, at: StrangerGroupFixture.moment)
        var others = fixture
        try others.decide(fixture.carol) { .remove(under: $0, target: dave.user, pins: []) }
        fixture.tell(others.log)
        for _ in 0..<3 { try write(100, by: fixture.dave) }
        let declined = try fixture.replica.quotas.declined
        #expect(!declined.isEmpty)
        tick(afterSeconds: 1)
        #expect(try fixture.replica.quotas.declined == declined)

        // Concurrently Bob takes Carol out: what they decided is void.
        let carol = fixture.carol.user
        try fixture.decide(fixture.bob) { .remove(under: $0, target: carol, pins: []) }
        fixture.tell()
        tick(afterSeconds: 12)
        #expect(try fixture.replica.quotas.declined.isEmpty)
        #expect(try fixture.replica.wanted.operations == declined)
    }

    @Test mutating func `in other conversations one author takes no room from another`() throws {
        let (bobs, carols) = (try write(2, by: fixture.bob), try write(2, by: fixture.carol))
        var quotas = BodyQuotas([fixture.bob.user: BodyQuotas.maximumAuthorBytes - bobs[0].header.bodyLength])
        let taken = (bobs + carols).map { operation in
            quotas.take(operation) {
                false
            } isUnaccepted: {
                false
            }
        }
        #expect(taken == [true, false, true, true])
        #expect(quotas.declined == [bobs[1].id])
        #expect(quotas.receivable(of: fixture.bob.device) == bobs[0].header.sequenceNumber)
        #expect(quotas.receivable(of: fixture.carol.device) == .max)
    }

    @Test mutating func `people whom nothing lets in share a quota`() throws {
        let (bobs, carols) = (try write(1, by: fixture.bob), try write(2, by: fixture.carol))
        let (bob, carol) = (fixture.bob.user, fixture.carol.user)
        let left = bobs[0].header.bodyLength + carols[0].header.bodyLength
        var quotas = BodyQuotas([bob: BodyQuotas.maximumCutOffBytes - left])
        let taken = (bobs + carols).map { operation in
            quotas.take(operation, hasLetIn: { ![bob, carol].contains($0) }) {
                true
            } isUnaccepted: {
                false
            }
        }
        #expect(taken == [true, true, false])
        #expect(quotas.declined == [carols[1].id])
    }
}
