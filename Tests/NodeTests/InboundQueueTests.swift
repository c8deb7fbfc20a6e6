import Cryptography
import OperationLog
import Replication
import StreamTransport
import Synchronization
import Testing
import Time

@testable import Node

@Suite("What waits to be looked at")
struct InboundQueueTests {
    private let alice = PeerHandle(rawValue: 1)
    private let mallory = PeerHandle(rawValue: 2)

    private let slot = PeerMessage.LaneSlot(slot: 0, lane: .membership)

    /// A message of so many bytes, four of which stand in front of its text.
    private func message(_ text: UInt8, length: Int = 5) -> InboundQueue.Item {
        let message = PeerMessage.lane(slot, .batch(isAnswer: false, Array(repeating: text, count: length - 4)))
        return .message(ReceivedMessage(decoding: message.encoded))
    }

    private func text(of message: ReceivedMessage) -> UInt8? {
        guard case .message(.lane(_, .batch(_, _, let text))) = message.content else { return nil }
        return text.first
    }

    private func taken(_ inboundQueue: InboundQueue, _ count: Int) -> [UInt8] {
        (0..<count).compactMap { _ in
            if case .message(let message)? = inboundQueue.next()?.1 { text(of: message) } else { nil }
        }
    }

    @Test func `of everybody in turn one message is looked at, in the order in which they sent them`() {
        let inboundQueue = InboundQueue()
        for peer in [alice, mallory] { inboundQueue.open(peer) }
        #expect(inboundQueue.put(message(100), from: mallory), "somebody must come")
        for number in 101..<110 as Range<UInt8> { #expect(!inboundQueue.put(message(number), from: mallory)) }
        #expect(!inboundQueue.put(message(1), from: alice))
        #expect(!inboundQueue.put(message(2), from: alice))
        #expect(taken(inboundQueue, 6) == [100, 1, 101, 2, 102, 103])
        #expect(taken(inboundQueue, 20) == [104, 105, 106, 107, 108, 109])
        #expect(inboundQueue.put(message(3), from: alice), "and comes again when there is something new")
    }

    @Test func `chunks and events are taken by themselves, and messages in their turns`() {
        let inboundQueue = InboundQueue()
        for peer in [alice, mallory] { inboundQueue.open(peer) }
        #expect(!inboundQueue.nextJoinsGroups, "nothing waits")
        _ = inboundQueue.put(message(1), from: alice)
        let chunk = PeerMessage.files(.chunk(.hash("test", [1]), [1, 2, 3]))
        _ = inboundQueue.put(.message(ReceivedMessage(decoding: chunk.encoded)), from: mallory)
        _ = inboundQueue.put(.event(.congested(.live)), from: alice)
        #expect(inboundQueue.nextJoinsGroups)
        #expect(inboundQueue.nextOfGroup().flatMap { text(of: $0.1) } == 1)
        #expect(!inboundQueue.nextJoinsGroups, "a chunk is next")
        #expect(inboundQueue.nextOfGroup() == nil)
        #expect(inboundQueue.next()?.1.isEvent == false)
        #expect(inboundQueue.nextOfGroup() == nil, "an event is next")
        #expect(inboundQueue.next()?.1.isEvent == true)
    }

    @Test(arguments: [5, 10_000])
    func `whoever sends faster than they are heard is not read until half of it was looked at`(length: Int) {
        let inboundQueue = InboundQueue()
        let rests = Mutex<[Bool]>([])
        inboundQueue.open(mallory)
        inboundQueue.onPause(mallory) { isPaused in rests.withLock { $0.append(isPaused) } }
        var count = 0
        while rests.withLock({ $0.isEmpty }), count < 1_000_000 {
            _ = inboundQueue.put(message(1, length: length), from: mallory)
            count += 1
        }
        #expect(rests.withLock { $0 } == [true])
        #expect(count * (length + InboundQueue.overhead) <= InboundQueue.maximumBytes + length + InboundQueue.overhead)
        while rests.withLock({ $0.count }) == 1, inboundQueue.next() != nil { count -= 1 }
        #expect(rests.withLock { $0 } == [true, false])
        #expect(count * (length + InboundQueue.overhead) < InboundQueue.maximumBytes / 2)
    }

    @Test func `operations that were verified count for what they take in memory`() throws {
        let key = try #require(SigningKey(seed: Array(repeating: 1, count: SigningKey.seedByteCount)))
        let author = Author(user: UserID(key.verifyingKey), key: key)
        let operation = ConversationLog.creation(body: [], by: author, at: .earliest)
        let batch = Batch(lane: .membership, operations: [operation]).encoded
        var message = ReceivedMessage(decoding: PeerMessage.lane(slot, .batch(isAnswer: false, batch)).encoded)
        let unverified = InboundQueue.Item.message(message).byteCount
        #expect(unverified == message.byteCount + InboundQueue.overhead)
        message.verifyBatch(of: ConversationID(createdBy: operation.id))
        #expect(InboundQueue.Item.message(message).byteCount == unverified + InboundQueue.operationOverhead)
    }

    @Test func `lists that take little on the way count for what they take in memory`() {
        let chains = (0..<100 as Range<UInt8>).map { DeviceID(digest: .hash("test", [$0])) }
        let digest = LaneDigest(of: Frontier().digest, transcript: [1])
        let messages: [(PeerMessage, extra: Int)] = [
            (
                .lane(
                    slot,
                    .frontier(
                        isWanted: false, digest: digest, chainList: digest,
                        sequenceNumbers: Array(repeating: 1, count: 100))),
                800
            ),
            (.lane(slot, .want(Dictionary(uniqueKeysWithValues: chains.map { ($0, .through(1)) }))), 6_400),
            (.conversation(slot, .receipts(.receipts(Array(repeating: [], count: 100), absent: []))), 6_400),
        ]
        for (message, extra) in messages {
            let received = ReceivedMessage(decoding: message.encoded)
            #expect(
                InboundQueue.Item.message(received).byteCount == message.encoded.count + InboundQueue.overhead + extra)
        }
    }

    @Test func `chunks count from when they come, though they are verified first`() {
        let inboundQueue = InboundQueue()
        let rests = Mutex<[Bool]>([])
        inboundQueue.open(mallory)
        inboundQueue.onPause(mallory) { isPaused in rests.withLock { $0.append(isPaused) } }
        inboundQueue.announce(InboundQueue.maximumBytes, from: mallory)
        #expect(rests.withLock { $0 } == [true])
        #expect(inboundQueue.put(message(1, length: InboundQueue.maximumBytes), from: mallory, isAnnounced: true))
        #expect(taken(inboundQueue, 1) == [1])
        #expect(rests.withLock { $0 } == [true, false])
    }

    @Test func `what was announced counts for what it takes in memory once it is decoded`() {
        let chains = (0..<100 as Range<UInt8>).map { DeviceID(digest: .hash("test", [$0])) }
        let want = PeerMessage.lane(slot, .want(Dictionary(uniqueKeysWithValues: chains.map { ($0, .through(1)) })))
            .encoded
        /// Whether a connection rests that had this message and then announces so many bytes.
        func rests(after byteCount: Int) -> Bool {
            let inboundQueue = InboundQueue()
            let isPaused = Mutex(false)
            inboundQueue.open(mallory)
            inboundQueue.onPause(mallory) { pauses in isPaused.withLock { $0 = pauses } }
            inboundQueue.announce(want.count, from: mallory)
            _ = inboundQueue.put(.message(ReceivedMessage(decoding: want)), from: mallory, isAnnounced: true)
            #expect(inboundQueue.next() != nil)
            inboundQueue.announce(byteCount - InboundQueue.overhead, from: mallory)
            return isPaused.withLock { $0 }
        }
        #expect(rests(after: InboundQueue.maximumBytes), "no more was taken off than was put on")
        #expect(!rests(after: InboundQueue.maximumBytes - 1), "and no less")
    }

    @Test func `of who is held no message is looked at until they are released, and nobody else waits`() {
        let inboundQueue = InboundQueue()
        for peer in [alice, mallory] { inboundQueue.open(peer) }
        for number in [100, 101, 102] as [UInt8] { _ = inboundQueue.put(message(number), from: mallory) }
        #expect(taken(inboundQueue, 2) == [100, 101])
        inboundQueue.hold(mallory, before: message(101))
        #expect(!inboundQueue.put(message(103), from: mallory), "nobody need come for it")
        _ = inboundQueue.put(message(1), from: alice)
        #expect(taken(inboundQueue, 5) == [1])
        #expect(inboundQueue.release(mallory), "somebody must come")
        #expect(!inboundQueue.release(mallory), "they are not held any more")
        #expect(taken(inboundQueue, 5) == [101, 102, 103])
        #expect(inboundQueue.put(message(104), from: mallory))
        #expect(taken(inboundQueue, 5) == [104])
    }

    @Test func `what was taken out and is held back counts again for what waits`() {
        let inboundQueue = InboundQueue()
        let rests = Mutex<[Bool]>([])
        inboundQueue.open(mallory)
        inboundQueue.onPause(mallory) { isPaused in rests.withLock { $0.append(isPaused) } }
        _ = inboundQueue.put(message(1, length: InboundQueue.maximumBytes), from: mallory)
        #expect(taken(inboundQueue, 1) == [1])
        inboundQueue.hold(mallory, before: message(1, length: InboundQueue.maximumBytes))
        #expect(rests.withLock { $0 } == [true, false, true])
        _ = inboundQueue.release(mallory)
        #expect(taken(inboundQueue, 1) == [1])
        #expect(rests.withLock { $0 } == [true, false, true, false])
        // It may be another then, which counts for what it takes itself.
        inboundQueue.hold(mallory, before: message(1))
        _ = inboundQueue.release(mallory, with: message(2, length: InboundQueue.maximumBytes))
        #expect(rests.withLock { $0 } == [true, false, true, false, true])
        #expect(taken(inboundQueue, 1) == [2])
        #expect(rests.withLock { $0 } == [true, false, true, false, true, false])
    }

    /// What comes out next: the first byte of a message, or 0 for what says that a connection is over, 255 for any
    /// other event.
    private func next(_ inboundQueue: InboundQueue) -> UInt8? {
        switch inboundQueue.next()?.1 {
        case .message(let message): text(of: message)
        case .event(.closed): 0
        case .event: 255
        case nil: nil
        }
    }

    @Test func `what happens to a connection that is held is looked at at once`() {
        let inboundQueue = InboundQueue()
        inboundQueue.open(mallory)
        _ = inboundQueue.put(message(101), from: mallory)
        _ = inboundQueue.put(message(102), from: mallory)
        _ = inboundQueue.put(.event(.congested(.live)), from: mallory)
        #expect(next(inboundQueue) == 101)
        inboundQueue.hold(mallory, before: message(101))
        #expect(next(inboundQueue) == 255, "it came behind a message and overtakes it")
        #expect(next(inboundQueue) == nil)
        #expect(inboundQueue.put(.event(.congested(.none)), from: mallory), "somebody must come")
        #expect(!inboundQueue.put(.event(.closed(.goodbye)), from: mallory))
        #expect(next(inboundQueue) == 255)
        #expect(next(inboundQueue) == 0)
        #expect(next(inboundQueue) == nil)
        inboundQueue.close(mallory)
        #expect(!inboundQueue.release(mallory), "and what was held of a connection that is over is dropped")
        #expect(next(inboundQueue) == nil)
    }

    @Test func `what happens to a connection stays in its order while it is not held`() {
        let inboundQueue = InboundQueue()
        inboundQueue.open(mallory)
        _ = inboundQueue.put(message(101), from: mallory)
        _ = inboundQueue.put(.event(.congested(.live)), from: mallory)
        #expect(next(inboundQueue) == 101)
        inboundQueue.hold(mallory, before: message(101))
        #expect(!inboundQueue.release(mallory), "somebody is still to come for the event")
        _ = inboundQueue.put(.event(.closed(.goodbye)), from: mallory)
        #expect(
            [next(inboundQueue), next(inboundQueue), next(inboundQueue), next(inboundQueue)] == [255, 101, 0, nil])
    }

    @Test func `what is pushed is taken at once up to a burst, and then at a pace`() {
        var rateLimit = PushRateLimit()
        let start = Instant(sinceStart: .seconds(10))
        let later = start + .milliseconds(750)
        #expect(rateLimit.take(PushRateLimit.burst, at: start) == nil)
        #expect(rateLimit.take(PushRateLimit.perSecond, at: start) == nil, "what goes beyond it is taken")
        #expect(rateLimit.take(1, at: start) == .seconds(1), "and paid for by what comes next")
        #expect(rateLimit.take(1, at: later) == .milliseconds(250))
        #expect(rateLimit.answerWait(at: start) == nil, "answers have no pace")
        #expect(rateLimit.take(1, at: start + .seconds(1)) == nil)
        #expect(rateLimit.remains(at: start + .seconds(60)) == 0, "what was taken wears off")
        #expect(rateLimit.take(PushRateLimit.burst, at: start + .seconds(60)) == nil)
    }

    @Test func `whoever brings content that costs much to judge waits, whatever it is called`() throws {
        var rateLimits = PushRateLimits()
        let start = Instant(sinceStart: .zero)
        let (mallory, alice) = (try user(1), try user(2))
        rateLimits.spend(.seconds(2), on: 4_096, of: mallory, at: start)
        #expect(rateLimits.count == 0, "so much are 4,096 messages allowed")
        // Two batches of 4,096 operations that cost 1 ms each.
        for _ in 0..<2 { rateLimits.spend(.milliseconds(4_096), on: 4_096, of: mallory, at: start) }
        let wait = try #require(rateLimits.answerWait(of: mallory, at: start))
        #expect(wait > .seconds(13) && wait < .seconds(14), "four times what it cost beyond that, but for the burst")
        #expect(rateLimits.take(1, of: mallory, at: start) == wait + .seconds(1))
        #expect(rateLimits.answerWait(of: alice, at: start) == nil)
        #expect(rateLimits.answerWait(of: mallory, at: start + .seconds(15)) == nil)
        rateLimits.spend(.seconds(3_600), on: 1, of: alice, at: start)
        #expect(
            rateLimits.answerWait(of: alice, at: start + .seconds(24)) == nil, "nothing makes somebody wait for hours")
    }

    private func user(_ number: Int) throws -> UserID {
        let seed = (0..<SigningKey.seedByteCount).map { UInt8(truncatingIfNeeded: $0 < 8 ? number >> ($0 * 8) : 0) }
        return UserID(try #require(SigningKey(seed: seed)).verifyingKey)
    }

    @Test func `everybody has a rateLimit, and is remembered until what they pushed has worn off`() throws {
        var rateLimits = PushRateLimits()
        let start = Instant(sinceStart: .zero)
        let (flooder, other) = (try user(1), try user(2))
        #expect(rateLimits.take(PushRateLimit.burst + PushRateLimit.perSecond, of: flooder, at: start) == nil)
        #expect(rateLimits.take(1, of: flooder, at: start) == .seconds(1))
        #expect(rateLimits.take(1, of: other, at: start) == nil)
        // However many come, with a little each.
        for number in 3..<PushRateLimits.maximumRateLimits + 100 {
            #expect(rateLimits.take(64, of: try user(number), at: start) == nil)
        }
        #expect(rateLimits.count == PushRateLimits.maximumRateLimits)
        #expect(rateLimits.take(1, of: flooder, at: start) == .seconds(1), "who pushed most is remembered")
        #expect(rateLimits.take(1, of: try user(1), at: start + .seconds(5)) == nil)
        #expect(rateLimits.take(1, of: try user(0), at: start + .seconds(10)) == nil)
        #expect(rateLimits.count == 1, "of all others it has worn off")
    }

    @Test(arguments: [false, true])
    func `of every batch it is known which lane it is of, and what its sender calls it`(isAnswer: Bool) throws {
        let preparation = BatchPreparation()
        let key = try #require(SigningKey(seed: Array(repeating: 1, count: SigningKey.seedByteCount)))
        let author = Author(user: UserID(key.verifyingKey), key: key)
        let operation = ConversationLog.creation(body: [], by: author, at: .earliest)
        let batch = Batch(lane: .membership, operations: [operation]).encoded
        let message = PeerMessage.lane(slot, .batch(isAnswer: isAnswer, batch)).encoded
        for isRecognized in [false, true] {
            if isRecognized { preparation.recognize(ConversationID(createdBy: operation.id), slot: 0) }
            let prepared = preparation.prepare(message)
            #expect(prepared.batchLane?.slot == slot)
            #expect(prepared.batchLane?.isAnswer == isAnswer)
            #expect((prepared.verified != nil) == isRecognized)
        }
        #expect(preparation.prepare(PeerMessage.lane(slot, .done).encoded).batchLane == nil)
    }

    @Test func `what comes on a connection that is over is dropped`() {
        let inboundQueue = InboundQueue()
        for peer in [alice, mallory] { inboundQueue.open(peer) }
        _ = inboundQueue.put(message(1), from: mallory)
        _ = inboundQueue.put(message(2), from: alice)
        inboundQueue.close(mallory)
        #expect(!inboundQueue.put(message(3), from: mallory))
        #expect(taken(inboundQueue, 5) == [2])
    }
}
