import Cryptography
import Dispatch
import OperationLog
import Replication

/// A secure channel over a TCP connection: whole messages go in and come out, sealed on the way.
///
/// Everything happens on one serial queue of its own, so decrypting one peer's megabytes delays nobody else. What is queued is
/// sealed only as the socket takes it: a live message is never stuck behind bulk that was sealed before it.
public final class PeerConnection: Sendable {
    /// What a connection tells its owner. ``ended(_:)`` comes last, once.
    public enum Event: Sendable {
        /// The peer has proven who it is.
        case established(PeerIdentity, transcript: [UInt8])
        /// A whole message.
        case message([UInt8])
        /// More than ``PeerConnection/highWater`` bytes wait for the peer, or few enough again.
        case congested(Bool)
        /// The connection is over; nil if it was closed in good order.
        case ended((any Error)?)
    }

    /// Waiting bytes above which only adverts should be sent.
    public static let highWater = 2 * 1024 * 1024
    /// Waiting bytes below which a congested connection is no longer so.
    static let lowWater = 256 * 1024
    /// Bytes that may wait before the peer is given up.
    static let limit = 32 * 1024 * 1024

    /// The other side's address.
    public let peer: SocketAddress
    private let core: QueueConfined<PeerConnectionCore>

    /// Begins the handshake over a connected socket.
    ///
    /// - Parameters:
    ///   - channel: our end of the channel, fresh.
    ///   - slot: the place an accepted connection takes until the handshake is over.
    ///   - handler: called on the connection's own queue.
    public init(
        socket: Socket, channel: SecureChannel, slot: HalfOpenSlot? = nil, now: @escaping @Sendable () -> Instant,
        handler: @escaping @Sendable (Event) -> Void
    ) {
        peer = socket.peer
        let queue = DispatchQueue(label: "moot.peer", qos: .userInitiated)
        core = QueueConfined(PeerConnectionCore(channel: channel, slot: slot, now: now, handler: handler), on: queue)
        let core = core
        let stream = StreamConnection(socket: socket, queue: queue) { event in core.value.handle(event) }
        core.later { $0.begin(on: stream, queue: queue) }
    }

    /// Queues a message; any thread may call it. Before the handshake is over and after the end it is dropped.
    public func send(_ message: [UInt8], urgency: SecureChannel.Urgency) {
        core.later { $0.send(message, urgency: urgency) }
    }

    /// Says goodbye and closes.
    public func close() {
        core.later { $0.close() }
    }

    /// Stops or resumes reading, so that a fast peer waits for us.
    public func setReading(_ isReading: Bool) {
        core.later { $0.setReading(isReading) }
    }
}

/// The state of a ``PeerConnection``, touched on its queue only.
private final class PeerConnectionCore {
    private var channel: SecureChannel
    private var slot: HalfOpenSlot?
    private let now: @Sendable () -> Instant
    private var handler: (@Sendable (PeerConnection.Event) -> Void)?
    private var stream: StreamConnection?
    private var deadline: (any DispatchSourceTimer)?
    private var isCongested = false

    init(
        channel: SecureChannel, slot: HalfOpenSlot?, now: @escaping @Sendable () -> Instant,
        handler: @escaping @Sendable (PeerConnection.Event) -> Void
    ) {
        self.channel = channel
        self.slot = slot
        self.now = now
        self.handler = handler
    }

    func begin(on stream: StreamConnection, queue: DispatchQueue) {
        guard handler != nil else { return stream.abort() }
        self.stream = stream
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler { [weak self] in self?.end(ChannelError.handshakeTimeout) }
        timer.schedule(deadline: .now() + SecureChannel.handshakeDeadline.dispatchInterval)
        timer.activate()
        deadline = timer
        attempt { () throws(ChannelError) in try transmit(channel.start()) }
    }

    func handle(_ event: StreamConnection.Event) {
        guard handler != nil else { return }
        switch event {
        case .opened:
            break
        case .received(let bytes):
            attempt { () throws(ChannelError) in
                let (reply, events) = try channel.receive(bytes, at: now())
                try transmit(reply)
                for event in events { deliver(event) }
            }
        case .drained:
            pump()
        case .ended(let error):
            do throws(ChannelError) {
                try channel.finish()
                end(error)
            } catch {
                end(error)
            }
        }
    }

    func send(_ message: [UInt8], urgency: SecureChannel.Urgency) {
        guard handler != nil, channel.isOpen else { return }
        channel.enqueue(message, urgency: urgency)
        pump()
        guard channel.queuedBytes <= PeerConnection.limit else {
            return end(TransportError.overflow(limit: PeerConnection.limit))
        }
        if channel.queuedBytes > PeerConnection.highWater, !isCongested {
            isCongested = true
            handler?(.congested(true))
        }
    }

    func close() {
        guard handler != nil else { return }
        attempt { () throws(ChannelError) in try transmit(channel.close()) }
        stream?.close()
        end(nil)
    }

    func setReading(_ isReading: Bool) {
        if isReading { stream?.resumeReading() } else { stream?.pauseReading() }
    }

    private func deliver(_ event: SecureChannel.Event) {
        switch event {
        case .established(let identity, let transcript):
            deadline?.cancel()
            deadline = nil
            slot?.release()
            slot = nil
            handler?(.established(identity, transcript: transcript))
        case .message(let message):
            handler?(.message(message))
        case .closed:
            stream?.close()
            end(nil)
        }
    }

    /// Seals as much as the socket is about to take.
    private func pump() {
        attempt { () throws(ChannelError) in
            while let stream, stream.queuedByteCount < StreamConnection.lowWater {
                let frames = try channel.nextFrames(upTo: StreamConnection.lowWater, at: now())
                guard !frames.isEmpty else { break }
                try transmit(frames)
            }
        }
        if isCongested, channel.queuedBytes < PeerConnection.lowWater {
            isCongested = false
            handler?(.congested(false))
        }
    }

    private func transmit(_ bytes: [UInt8]) throws(ChannelError) {
        guard !bytes.isEmpty, let stream else { return }
        do throws(TransportError) {
            try stream.send(bytes)
        } catch {
            end(error)
        }
    }

    private func attempt(_ body: () throws(ChannelError) -> Void) {
        do throws(ChannelError) {
            try body()
        } catch {
            end(error)
        }
    }

    private func end(_ error: (any Error)?) {
        guard let handler else { return }
        self.handler = nil
        deadline?.cancel()
        deadline = nil
        slot?.release()
        slot = nil
        if error != nil { stream?.abort() }
        stream = nil
        handler(.ended(error))
    }
}
