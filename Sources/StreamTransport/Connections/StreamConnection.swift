import Dispatch
import Synchronization

/// A TCP connection that carries bytes both ways over the two Foundation streams of a socket.
///
/// Its handler is called on its queue: ``Event/opened`` first, ``Event/ended(_:)`` last, each once, and nothing after
/// it. Bytes arrive in order, and those given to ``send(_:)`` leave in order. A connection that is let go without being
/// closed breaks off.
public final class StreamConnection: Sendable {
    /// What a connection tells the layer above.
    public enum Event: Sendable {
        /// Bytes can be sent and received.
        case opened
        /// Bytes arrived: at least one, at most 128 KiB at a time.
        case received([UInt8])
        /// Fewer than ``StreamConnection/lowWater`` bytes wait, after there were more.
        case drained
        /// Nothing more arrives and nothing more can be sent; nil if one side closed the connection in good order.
        case ended(TransportError?)
    }

    /// Below this many waiting bytes it is time to give the connection more.
    public static let lowWater = 64 << 10
    /// How long a closed connection goes on sending what waits, and then waits for the peer to close its half.
    public static let closeTimeout = Duration.seconds(2)

    /// The address of the other side.
    public let peer: SocketAddress
    /// The address of this side; nil if the connection broke before it was asked for.
    public let local: SocketAddress?

    private let sendBuffer: SendBuffer
    private let pump: QueueConfined<StreamPump>

    /// Opens the streams of a socket.
    ///
    /// - Parameters:
    ///   - queue: A serial queue, on which the handler is called.
    ///   - maximumSendBytes: How many bytes may wait for a slow peer.
    ///   - handler: Called with each event. It is let go of after ``Event/ended(_:)``.
    public init(
        socket: Socket, queue: DispatchQueue, maximumSendBytes: Int = 4 << 20,
        handler: @escaping @Sendable (Event) -> Void
    ) {
        peer = socket.peer
        local = socket.local
        sendBuffer = SendBuffer(maximumBytes: maximumSendBytes)
        pump = QueueConfined(
            StreamPump(socket: socket, queue: queue, sendBuffer: sendBuffer, handler: handler), on: queue)
        pump.later { $0.open() }
    }

    /// How many bytes wait to be handed to the system.
    public var queuedByteCount: Int { sendBuffer.count }

    /// Sends bytes after all those given before. Any thread may call it; calls made in one turn of the queue leave
    /// together.
    ///
    /// - Throws: ``TransportError/overflow(limit:)`` if too many bytes wait already: none of these is taken then.
    ///   ``TransportError/closed`` after ``close()``, ``abort()`` or ``Event/ended(_:)``.
    public func send(_ bytes: [UInt8]) throws(TransportError) {
        if try sendBuffer.append(bytes) {
            pump.later { $0.flush() }
        }
    }

    /// Stops delivering what arrives, once the handler returns: the peer is slowed down by TCP. Any thread may call it.
    ///
    /// While a connection is paused it does not notice that the peer closes it.
    public func pauseReading() {
        sendBuffer.isReadingPaused = true
    }

    /// Delivers again what arrives. Any thread may call it.
    public func resumeReading() {
        sendBuffer.isReadingPaused = false
        pump.later { $0.readWaiting() }
    }

    /// Sends what waits, then ends the connection in good order, within ``closeTimeout``. Any thread may call it.
    ///
    /// Nothing is delivered after it but ``Event/ended(_:)``.
    public func close() {
        guard sendBuffer.stopAccepting() else { return }
        pump.later { $0.close() }
    }

    /// Breaks the connection off at once: what waits is dropped, and the peer sees a reset. Any thread may call it.
    public func abort() {
        _ = sendBuffer.stopAccepting()
        pump.later { $0.abort() }
    }
}
