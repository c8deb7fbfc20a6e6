import Cryptography
import OperationLog
import Replication
import StreamTransport
import Synchronization
import Testing

@testable import Node

@Suite("What waits to be looked at")
struct IntakeTests {
    private let alice = PeerHandle(rawValue: 1)
    private let mallory = PeerHandle(rawValue: 2)

    private func message(_ text: UInt8, length: Int = 1) -> Intake.Item {
        .message(PreparedMessage(bytes: Array(repeating: text, count: length)))
    }

    private func taken(_ intake: Intake, _ count: Int) -> [UInt8] {
        (0..<count).compactMap { _ in
            if case .message(let message)? = intake.next()?.1 { message.bytes.first } else { nil }
        }
    }

    @Test func `of everybody in turn one message is looked at, in the order in which he sent them`() {
        let intake = Intake()
        for peer in [alice, mallory] { intake.open(peer) }
        #expect(intake.put(message(100), from: mallory), "somebody must come")
        for number in 101..<110 as Range<UInt8> { #expect(!intake.put(message(number), from: mallory)) }
        #expect(!intake.put(message(1), from: alice))
        #expect(!intake.put(message(2), from: alice))
        #expect(taken(intake, 6) == [100, 1, 101, 2, 102, 103])
        #expect(taken(intake, 20) == [104, 105, 106, 107, 108, 109])
        #expect(intake.put(message(3), from: alice), "and comes again when there is something new")
    }

    @Test(arguments: [1, 10_000])
    func `whoever sends faster than he is heard is not read until half of it was looked at`(length: Int) {
        let intake = Intake()
        let rests = Mutex<[Bool]>([])
        intake.open(mallory)
        intake.onRest(mallory) { isResting in rests.withLock { $0.append(isResting) } }
        var count = 0
        while rests.withLock({ $0.isEmpty }), count < 1_000_000 {
            _ = intake.put(message(1, length: length), from: mallory)
            count += 1
        }
        #expect(rests.withLock { $0 } == [true])
        #expect(count * (length + Intake.overhead) <= Intake.byteLimit + length + Intake.overhead)
        while rests.withLock({ $0.count }) == 1, intake.next() != nil { count -= 1 }
        #expect(rests.withLock { $0 } == [true, false])
        #expect(count * (length + Intake.overhead) < Intake.byteLimit / 2)
    }

    @Test func `operations that were verified count for what they take in memory`() throws {
        let intake = Intake()
        let rests = Mutex<[Bool]>([])
        intake.open(mallory)
        intake.onRest(mallory) { isResting in rests.withLock { $0.append(isResting) } }
        let key = try #require(SigningKey(seed: Array(repeating: 1, count: SigningKey.seedByteCount)))
        let author = Author(user: UserID(key.verifyingKey), key: key)
        let operation = ConversationLog.creation(body: [], by: author, at: .earliest)
        let count = Intake.byteLimit / Intake.operationOverhead
        let batch = Batch(lane: .membership, operations: Array(repeating: operation, count: count))
        _ = intake.put(.message(PreparedMessage(bytes: [1], batch: .success(batch))), from: mallory)
        #expect(rests.withLock { $0 } == [true])
        #expect(intake.next() != nil)
        #expect(rests.withLock { $0 } == [true, false])
    }

    @Test func `chunks count from when they come, though they are verified first`() {
        let intake = Intake()
        let rests = Mutex<[Bool]>([])
        intake.open(mallory)
        intake.onRest(mallory) { isResting in rests.withLock { $0.append(isResting) } }
        intake.announce(Intake.byteLimit, from: mallory)
        #expect(rests.withLock { $0 } == [true])
        #expect(intake.put(message(1, length: Intake.byteLimit), from: mallory, isAnnounced: true))
        #expect(taken(intake, 1) == [1])
        #expect(rests.withLock { $0 } == [true, false])
    }

    @Test func `of who is held nothing is looked at until they are released, and nobody else waits`() {
        let intake = Intake()
        for peer in [alice, mallory] { intake.open(peer) }
        for number in [100, 101] as [UInt8] { _ = intake.put(message(number), from: mallory) }
        #expect(taken(intake, 1) == [100])
        intake.hold(mallory)
        #expect(!intake.put(message(102), from: mallory), "nobody need come for it")
        _ = intake.put(message(1), from: alice)
        #expect(taken(intake, 5) == [1])
        #expect(intake.release(mallory), "somebody must come")
        #expect(taken(intake, 5) == [101, 102])
        intake.hold(mallory)
        #expect(!intake.release(mallory), "nothing waits")
        #expect(!intake.release(mallory), "nor are they held")
        #expect(intake.put(message(103), from: mallory))
        #expect(taken(intake, 5) == [103])
    }

    @Test func `what is pushed is taken at once up to a burst, and then at a pace`() {
        var pace = PushPace()
        let start = Instant(sinceStart: .seconds(10))
        #expect(pace.take(PushPace.burst, at: start) == nil)
        #expect(pace.take(PushPace.perSecond / 2, at: start) == .milliseconds(500))
        #expect(pace.take(0, at: start + .milliseconds(500)) == nil)
        #expect(pace.take(PushPace.perSecond / 4, at: start + .milliseconds(500)) == .milliseconds(250))
        #expect(pace.take(PushPace.burst, at: start + .seconds(60)) == nil, "what was taken wears off")
    }

    @Test func `only a batch that nobody asked for is a push`() throws {
        let preparation = BatchPreparation()
        let key = try #require(SigningKey(seed: Array(repeating: 1, count: SigningKey.seedByteCount)))
        let author = Author(user: UserID(key.verifyingKey), key: key)
        let operation = ConversationLog.creation(body: [], by: author, at: .earliest)
        preparation.recognise(ConversationID(createdBy: operation.id), slot: 0)
        let batch = Batch(lane: .membership, operations: [operation]).encoded
        let slot = PeerMessage.LaneSlot(slot: 0, lane: .membership)
        for isAnswer in [true, false] {
            let message = PeerMessage.batch(slot, isAnswer: isAnswer, batch).encoded
            #expect(preparation.prepare(message).isPush == !isAnswer)
        }
        #expect(!preparation.prepare(PeerMessage.done(slot).encoded).isPush)
    }

    @Test func `what comes on a connection that is over is dropped`() {
        let intake = Intake()
        for peer in [alice, mallory] { intake.open(peer) }
        _ = intake.put(message(1), from: mallory)
        _ = intake.put(message(2), from: alice)
        intake.close(mallory)
        #expect(!intake.put(message(3), from: mallory))
        #expect(taken(intake, 5) == [2])
    }
}
