import Cryptography
import Dispatch
import OperationLog
import Replication
import Synchronization
import Testing
import Time

@testable import Node

@Suite("Preparing what comes on a connection")
struct BatchPreparationTests {
    private let queue = DispatchQueue(label: "test")

    @Test func `short messages are prepared where they came`() {
        let preparation = BatchPreparation(on: queue)
        let isDone = Mutex(false)
        #expect(!preparation.isLater(BatchPreparation.longByteCount - 1))
        preparation.inOrder(isLater: false) { isDone.withLock { $0 = true } }
        #expect(isDone.withLock { $0 })
    }

    @Test func `what follows a long message is handed on behind it, and then nothing waits any more`() {
        let preparation = BatchPreparation(on: queue)
        let done = Mutex<[Int]>([])
        func come(_ number: Int, _ byteCount: Int) {
            preparation.inOrder(isLater: preparation.isLater(byteCount)) { done.withLock { $0.append(number) } }
        }
        queue.suspend()
        come(1, BatchPreparation.longByteCount)
        come(2, 5)
        come(3, 0)
        #expect(done.withLock { $0 }.isEmpty, "they wait for the long one")
        queue.resume()
        queue.sync {}
        #expect(done.withLock { $0 } == [1, 2, 3])
        #expect(!preparation.isLater(5))
        come(4, 5)
        #expect(done.withLock { $0 } == [1, 2, 3, 4])
    }

    /// A message with the first operation of a conversation, in slot 0.
    private func batch(bodyOf byteCount: Int) throws -> (ReceivedMessage, bytes: [UInt8], ConversationID) {
        let key = try #require(SigningKey(seed: Array(repeating: 1, count: SigningKey.seedByteCount)))
        let author = Author(user: UserID(key.verifyingKey), key: key)
        let operation = ConversationLog.creation(
            body: Array(repeating: 1, count: byteCount), by: author, at: .earliest)
        let slot = PeerMessage.LaneSlot(slot: 0, lane: .membership)
        let bytes = PeerMessage.lane(
            slot, .batch(isAnswer: false, Batch(lane: .membership, operations: [operation]).encoded)
        ).encoded
        return (ReceivedMessage(decoding: bytes), bytes, ConversationID(createdBy: operation.id))
    }

    /// Whether a message was verified; nil if it need not be.
    private func verifiesLate(_ message: ReceivedMessage, _ preparation: BatchPreparation) -> Bool? {
        let verified = Mutex<Bool?>(nil)
        guard preparation.verifyLate(message, { late in verified.withLock { $0 = late.verified != nil } }) else {
            return nil
        }
        queue.sync {}
        return verified.withLock { $0 }
    }

    @Test func `a long batch that overtakes what says where it belongs is verified once that is known`() throws {
        let preparation = BatchPreparation(on: queue)
        let (_, bytes, conversation) = try batch(bodyOf: BatchPreparation.longByteCount)
        let message = preparation.prepare(bytes)
        #expect(message.verified == nil)
        #expect(verifiesLate(message, preparation) == nil, "nobody knows where it belongs")
        preparation.recognize(conversation, slot: 0)
        #expect(verifiesLate(message, preparation) == true)
        let known = preparation.prepare(bytes)
        #expect(known.verified != nil)
        #expect(verifiesLate(known, preparation) == nil, "once is enough")
        let (short, _, other) = try batch(bodyOf: 10)
        preparation.recognize(other, slot: 0)
        #expect(verifiesLate(short, preparation) == nil, "that takes no time")
    }
}
