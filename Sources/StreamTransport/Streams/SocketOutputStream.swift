import Dispatch
import Foundation
import Glibc

/// The sending half of a TCP connection as a Foundation stream.
///
/// The counterpart of ``SocketInputStream``. It keeps the contract of `OutputStream`, but never blocks:
/// ``write(_:maxLength:)`` takes what the socket has room for and returns 0 when there is none.
///
/// `.hasSpaceAvailable` is delivered once after opening, and then once after each write that was not taken whole. In
/// between the socket is not watched: an idle connection costs nothing.
///
/// Every method is called on the queue.
public final class SocketOutputStream: OutputStream {
    private let queue: DispatchQueue
    private var socket: Socket?
    private var source: (any DispatchSourceRead)?
    private var status = Stream.Status.notOpen
    private var failure: TransportError?
    private weak var listener: (any StreamDelegate)?
    /// Whether the source rests. Dispatch counts suspensions, so it is done once and undone once.
    private var isSuspended = false

    /// The sending half of `socket`. Nothing happens before ``open()``.
    public init(_ socket: Socket, on queue: DispatchQueue) {
        self.socket = socket
        self.queue = queue
        super.init(toMemory: ())
    }

    /// Makes a stream without a socket, closed from the start. Foundation requires that every subclass has this.
    public required init(toMemory: ()) {
        queue = .main
        status = .closed
        super.init(toMemory: ())
    }

    deinit {
        stopWatching()
    }

    /// Who is told of events. Not kept alive by the stream.
    public override var delegate: (any StreamDelegate)? {
        get { listener }
        set { listener = newValue }
    }

    /// The state of the stream.
    public override var streamStatus: Stream.Status { status }

    /// The ``TransportError`` that ended the stream, if one did.
    public override var streamError: (any Error)? { failure }

    /// Starts to watch the socket; `.openCompleted` and `.hasSpaceAvailable` follow.
    public override func open() {
        guard status == .notOpen, let socket else { return }
        status = .opening
        let source = DispatchSource.makeReadSource(fileDescriptor: socket.writable.number, queue: queue)
        source.setRegistrationHandler { [weak self] in self?.becameOpen() }
        source.setEventHandler { [weak self] in self?.becameWritable() }
        source.setCancelHandler { withExtendedLifetime(socket) {} }
        self.source = source
        source.activate()
    }

    /// Ends this half: the peer reads what was written and then the end. The other half goes on.
    public override func close() {
        if status == .open, let socket { shutdown(socket.descriptor.number, Int32(SHUT_WR)) }
        status = .closed
        stopWatching()
    }

    /// Stops writing without telling the peer that this was the end.
    func abandon() {
        status = .closed
        stopWatching()
    }

    /// Whether a ``write(_:maxLength:)`` is likely to be taken.
    public override var hasSpaceAvailable: Bool { status == .open && isSuspended }

    /// Gives bytes to the socket.
    ///
    /// - Returns: How many it took, from the start of the buffer; 0 when it has no room now; -1 when the connection
    ///   broke.
    public override func write(_ buffer: UnsafePointer<UInt8>, maxLength: Int) -> Int {
        guard status == .open, let socket else { return -1 }
        var count: Int
        // A peer that is gone must be an error here, not a SIGPIPE that ends the process.
        repeat {
            count = send(socket.descriptor.number, buffer, maxLength, Int32(MSG_NOSIGNAL))
        } while count < 0 && errno == EINTR
        if count < 0, errno != EAGAIN {
            failure = TransportError(errno: errno, of: "send")
            // The source is called once more, and delivers the event in its turn.
            status = .error
        }
        if count < maxLength, isSuspended {
            isSuspended = false
            source?.resume()
        }
        return status == .error ? -1 : max(count, 0)
    }

    private func becameOpen() {
        guard status == .opening else { return }
        status = .open
        listener?.stream(self, handle: .openCompleted)
    }

    private func becameWritable() {
        switch status {
        case .open:
            guard let source, !isSuspended else { return }
            isSuspended = true
            source.suspend()
            listener?.stream(self, handle: .hasSpaceAvailable)
        case .error:
            stopWatching()
            listener?.stream(self, handle: .errorOccurred)
        case .notOpen, .opening, .reading, .writing, .atEnd, .closed:
            break
        @unknown default:
            break
        }
    }

    private func stopWatching() {
        source?.cancel()
        // A suspended source would never get to its cancellation.
        if isSuspended { source?.resume() }
        isSuspended = false
        source = nil
        socket = nil
    }
}
