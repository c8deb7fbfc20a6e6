import Replication
import StreamTransport

/// A connection and what prepares its messages.
struct Connection {
    /// How many bytes may wait for somebody with whom the user shares nothing: a key costs nothing, and each may leave
    /// unread what they asked for.
    static let maximumStrangerBytes = 256 * 1024

    /// The connection.
    let stream: PeerConnection
    /// Verifies its batches, long ones off the node's queue.
    let preparation: BatchPreparation
    /// Verifies its chunks off the node's queue and the connection's.
    let verification: ChunkVerification

    /// Queues a message. A connection that takes no more is about to end, which comes as an event of its own.
    ///
    /// - Parameter isStranger: whether the user shares nothing with whoever is there.
    /// - Returns: why a message was not taken that no connection takes.
    @discardableResult
    func send(_ message: [UInt8], urgency: SecureChannel.Urgency, isStranger: Bool) -> TransportError? {
        do throws(TransportError) {
            try stream.send(message, urgency: urgency, within: Self.limit(isStranger: isStranger))
        } catch {
            if case .messageTooLong = error { return error }
            stream.abort()
        }
        return nil
    }

    /// Queues a chunk of a file. A stranger for whom there is no room asks for it again.
    func send(chunk message: [UInt8], isStranger: Bool) {
        do throws(TransportError) {
            try stream.send(message, urgency: .bulk, within: Self.limit(isStranger: isStranger))
        } catch {
            if !isStranger { stream.abort() }
        }
    }

    private static func limit(isStranger: Bool) -> Int {
        isStranger ? maximumStrangerBytes : PeerConnection.defaultMaximumQueueBytes
    }
}
