import Replication
import StreamTransport

/// A connection and what prepares its messages.
struct Connection {
    /// The connection.
    let stream: PeerConnection
    /// Verifies its batches beside the node.
    let preparation: BatchPreparation
    /// Verifies its chunks beside both.
    let verification: ChunkVerification

    /// Queues a message. A connection that takes no more is about to end, which comes as an event of its own.
    ///
    /// - Returns: why a message was not taken that no connection takes.
    @discardableResult
    func send(_ message: [UInt8], urgency: SecureChannel.Urgency) -> TransportError? {
        do throws(TransportError) {
            try stream.send(message, urgency: urgency)
        } catch {
            if case .messageTooLong = error { return error }
            stream.abort()
        }
        return nil
    }
}
