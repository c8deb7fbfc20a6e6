import OperationLog
import Replication
import StreamTransport

/// One connection to a peer, from dialling or accepting it to its end.
struct Link {
    /// The connection.
    let connection: PeerConnection
    /// Verifies its batches beside the node.
    let preparation: BatchPreparation
    /// Whether we dialled.
    let isOutgoing: Bool
    /// The other side's address.
    let address: String
    /// The dialled target, as the directory knows it.
    let target: DialTarget?
    /// When it began.
    let since: Timestamp
    /// Who is there, once proven.
    var identity: PeerIdentity?

    /// Queues a message. A connection that takes no more is about to end, which comes as an event of its own.
    func send(_ message: [UInt8], urgency: SecureChannel.Urgency) {
        do throws(TransportError) {
            try connection.send(message, urgency: urgency)
        } catch {
            connection.abort()
        }
    }
}
