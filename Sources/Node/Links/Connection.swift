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
    func send(_ message: [UInt8], urgency: SecureChannel.Urgency) {
        do throws(TransportError) {
            try stream.send(message, urgency: urgency)
        } catch {
            stream.abort()
        }
    }
}
