import Conversations
import Dispatch
import OperationLog
import Replication
import Synchronization

/// Decodes the messages of one connection and verifies their batches.
///
/// A short message is prepared where it came. A long one would make all others wait, so it is prepared on a queue of
/// its own while the node commits the batch before, and whatever follows it on the connection is handed on behind it.
///
/// It needs to know which conversation each slot of the peer means; the node tells it when the replicator recognizes
/// one.
final class BatchPreparation: Sendable {
    /// Bytes of a message from which on it is prepared on the queue: fewer hold so few signatures that to check them
    /// there and back would save nothing.
    static let longByteCount = 2 * 1024

    private let conversations = Mutex<[Int: ConversationID]>([:])
    private let queue: DispatchQueue
    /// How much is on its way over the queue.
    private let waiting = Atomic(0)

    /// Begins with no slot known.
    init(on queue: DispatchQueue = DispatchQueue(label: "moot.prepare", qos: .userInitiated)) {
        self.queue = queue
    }

    /// Learns what a slot means.
    func recognize(_ conversation: ConversationID, slot: Int) {
        conversations.withLock { $0[slot] = conversation }
    }

    /// Whether a message of so many bytes that comes now is prepared later.
    func isLater(_ byteCount: Int) -> Bool {
        byteCount >= Self.longByteCount || waiting.load(ordering: .acquiring) > 0
    }

    /// Runs `body` behind all that came before on the connection. It is called for one thing after the other.
    func inOrder(isLater: Bool, _ body: @escaping @Sendable () -> Void) {
        guard isLater else { return body() }
        waiting.add(1, ordering: .relaxed)
        queue.async {
            body()
            self.waiting.subtract(1, ordering: .releasing)
        }
    }

    /// Does what can be done with a message without the node's state; the node judges everything else.
    func prepare(_ bytes: [UInt8]) -> ReceivedMessage {
        let message = ReceivedMessage(decoding: bytes)
        return conversation(of: message).map { Self.verify(message, of: $0) } ?? message
    }

    /// Verifies a long batch that came before it was known of which conversation it is. Nobody else waits for that.
    ///
    /// - Parameter body: what happens then, on the queue.
    /// - Returns: false if there is nothing to verify: then `body` is not called.
    func verifyLate(_ message: ReceivedMessage, _ body: @escaping @Sendable (ReceivedMessage) -> Void) -> Bool {
        guard message.byteCount >= Self.longByteCount, message.verified == nil,
            let conversation = conversation(of: message)
        else { return false }
        inOrder(isLater: true) { body(Self.verify(message, of: conversation)) }
        return true
    }

    /// Of which conversation the batch is that a message carries; nil if it carries none, or that is not known.
    private func conversation(of message: ReceivedMessage) -> ConversationID? {
        message.batchLane.flatMap { lane in conversations.withLock { $0[lane.slot.slot] } }
    }

    private static func verify(_ message: ReceivedMessage, of conversation: ConversationID) -> ReceivedMessage {
        var message = message
        message.verifyBatch(of: conversation)
        // The credentials that they carry, too: those are remembered when the operations are admitted.
        if case .batch(.success(let batch))? = message.verified, batch.lane == .membership {
            for operation in batch.operations { _ = try? MembershipBody.introductions(of: operation) }
        }
        return message
    }
}
