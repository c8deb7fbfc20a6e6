import Dispatch
import Replication

/// An authenticated, encrypted connection to another node: a secure channel over a TCP connection.
///
/// Its handler is called on its queue: ``Event/established(_:transcript:)`` first, ``Event/closed(_:)`` last, each at
/// most once. A connection that is let go without being closed breaks off.
///
/// Messages are sealed only as fast as the socket takes them, so a live message waits behind at most
/// ``StreamConnection/lowWater`` bytes of bulk here and 128 KiB in the system, however much bulk is queued.
public final class PeerConnection: Sendable {
    /// What a peer connection tells the layer above.
    public enum Event: Sendable {
        /// The peer has proved who it is; `transcript` is the hash of the handshake, the same on both sides.
        case established(PeerIdentity, transcript: [UInt8])
        /// A whole message of the peer.
        case message([UInt8])
        /// More or less than before waits for a slow peer. Each time something else than the last time; the first time
        /// not ``Congestion/none``.
        case congested(Congestion)
        /// Nothing follows.
        case closed(PeerClosure)
    }

    /// How many bytes of messages may wait, unless told otherwise: two of the longest ones.
    public static let defaultMaximumQueueBytes = 2 * (SecureChannel.maximumMessageBytes + SecureChannel.messageOverhead)
    /// From this many waiting bytes on a connection is congested, more than a peer's credit can bring about; from half
    /// as many of live messages, too.
    public static let highWaterByteCount = 2 << 20
    /// Below this many it no longer is. Where fewer may wait, a quarter of those is congestion, and an eighth is the
    /// low-water mark.
    public static let lowWaterByteCount = 512 << 10

    /// The socket while the connection holds it.
    private struct OpenSocket: Sendable {
        weak var socket: Socket?
    }

    /// The address of the other side.
    public let peer: SocketAddress
    private let socket: OpenSocket
    private let queue: MessageQueue
    private let pump: QueueConfined<PeerPump>

    /// Begins the handshake.
    ///
    /// - Parameters:
    ///   - socket: A connection that was just dialed or accepted.
    ///   - channel: A channel that has not begun.
    ///   - slot: The place of an accepted connection, released when the handshake is over.
    ///   - queue: A serial queue, on which encryption runs and the handler is called.
    ///   - maximumQueueBytes: How many bytes of messages may wait.
    ///   - partial: What counts the bytes of messages that have not come whole.
    ///   - isConnected: Whether there is another connection to who answers a dial; asked on the queue before we say who
    ///     we are.
    ///   - handler: Called with each event. It is let go of after ``Event/closed(_:)``.
    public init(
        socket: Socket, channel: consuming SecureChannel, slot: HalfOpenSlot? = nil, queue: DispatchQueue,
        maximumQueueBytes: Int = defaultMaximumQueueBytes, partial: PartialMessages = PartialMessages(),
        isConnected: @escaping @Sendable (PeerIdentity) -> Bool,
        handler: @escaping @Sendable (Event) -> Void
    ) {
        peer = socket.peer
        self.socket = OpenSocket(socket: socket)
        let messages = MessageQueue(limit: maximumQueueBytes)
        self.queue = messages
        pump = QueueConfined(
            PeerPump(
                channel: channel, slot: slot, messages: messages, partial: partial, isConnected: isConnected,
                handler: handler), on: queue)
        pump.later { [pump] in
            $0.countPartialMessages { [weak pump] in pump?.later { $0.abort() } }
            $0.start(socket, on: queue) { [weak pump] event in pump?.value.handle(event) }
        }
    }

    /// How many bytes of messages wait to be sealed.
    public var queuedByteCount: Int { queue.count }

    /// Whether the other host acknowledges what it is sent. Any thread may call it.
    ///
    /// False a second after something was sent means that the host is off, or the network is cut. True says nothing of
    /// the process there. It is not authenticated: an attacker on the path can forge it.
    public var isAcknowledged: Bool { socket.socket?.isAcknowledged ?? false }

    /// Sends a message: live ones before all bulk, otherwise in the order given. Any thread may call it. Messages given
    /// before the peer is established wait for that.
    ///
    /// - Parameter limit: how many bytes of messages may wait from now on; nil for as many as before. What waits
    ///   already is not dropped.
    /// - Throws: ``TransportError/messageTooLong(limit:)`` for one that the peer would not take, and
    ///   ``TransportError/overflow(limit:)`` if too much waits already: the message is not taken then.
    ///   ``TransportError/closed`` after ``close()``, ``abort()`` or ``Event/closed(_:)``.
    public func send(
        _ message: [UInt8], urgency: SecureChannel.Urgency, within limit: Int? = nil
    ) throws(TransportError) {
        // What a message holds, others have shaped: one that is too long is no reason to fall over.
        guard message.count <= SecureChannel.maximumMessageBytes else {
            throw .messageTooLong(limit: SecureChannel.maximumMessageBytes)
        }
        if try queue.append(message, urgency: urgency, within: limit) {
            pump.later { $0.seal() }
        }
    }

    /// Stops delivering messages, but for those that have arrived already: the peer is slowed down by TCP. Any thread
    /// may call it.
    public func pauseReading() {
        pump.later { $0.pauseReading() }
    }

    /// Delivers messages again. Any thread may call it.
    public func resumeReading() {
        pump.later { $0.resumeReading() }
    }

    /// Sends what waits and says goodbye, within twice ``StreamConnection/closeTimeout``. Any thread may call it.
    ///
    /// Nothing is delivered after it but ``Event/closed(_:)``.
    public func close() {
        queue.stopAccepting()
        pump.later { [pump] in $0.close(keeping: pump) }
    }

    /// Breaks the connection off at once. Any thread may call it.
    public func abort() {
        queue.stopAccepting()
        pump.later { $0.abort() }
    }
}
