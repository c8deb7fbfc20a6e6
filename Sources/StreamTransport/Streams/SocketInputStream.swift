import Dispatch
import Foundation
import Glibc

/// The receiving half of a TCP connection as a Foundation stream.
///
/// Foundation on Linux cannot open a stream over TCP (`getStreamsToHost` does not exist there), so this subclass brings
/// its own socket. It keeps the contract of `InputStream` with two differences, both because nothing here ever blocks:
/// ``read(_:maxLength:)`` returns -1 with the status still `.open` when nothing has arrived, and events come on a
/// serial Dispatch queue instead of a run loop.
///
/// `.hasBytesAvailable` is delivered once; the next one follows only after the next ``read(_:maxLength:)``. Meanwhile
/// the socket is not watched, so whoever does not read is not called, and TCP slows the peer down.
///
/// Every method is called on the queue.
public final class SocketInputStream: InputStream {
    private let queue: DispatchQueue
    private var socket: Socket?
    private var source: (any DispatchSourceRead)?
    private var status = Stream.Status.notOpen
    private var failure: TransportError?
    private weak var listener: (any StreamDelegate)?
    /// Whether the delegate was told of bytes and has not read since.
    private var awaitsRead = false
    /// Whether the source rests. Dispatch counts suspensions, so it is done once and undone once.
    private var isSuspended = false

    /// The receiving half of `socket`. Nothing happens before ``open()``.
    public init(_ socket: Socket, on queue: DispatchQueue) {
        self.socket = socket
        self.queue = queue
        super.init(data: Data())
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

    /// Starts to watch the socket; `.openCompleted` follows.
    public override func open() {
        guard status == .notOpen, let socket else { return }
        status = .opening
        let source = DispatchSource.makeReadSource(fileDescriptor: socket.readable.number, queue: queue)
        source.setRegistrationHandler { [weak self] in self?.becameOpen() }
        source.setEventHandler { [weak self] in self?.becameReadable() }
        source.setCancelHandler { withExtendedLifetime(socket) {} }
        self.source = source
        source.activate()
    }

    /// Stops reading. What arrives from now on is lost.
    public override func close() {
        status = .closed
        stopWatching()
    }

    /// Whether a ``read(_:maxLength:)`` is likely to bring bytes: some were announced and not read since.
    public override var hasBytesAvailable: Bool { status == .open && awaitsRead }

    /// Takes bytes that have arrived.
    ///
    /// - Returns: How many; 0 at the end of the stream; -1 when nothing has arrived (the status is `.open`) or the
    ///   connection broke (the status is `.error`).
    public override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int {
        guard status == .open, let socket else { return status == .atEnd ? 0 : -1 }
        var count: Int
        repeat { count = recv(socket.descriptor.number, buffer, maxLength, 0) } while count < 0 && errno == EINTR
        // The end and a failure stay: the source is called again, and delivers their events in their turn.
        if count == 0, maxLength > 0 {
            status = .atEnd
        } else if count < 0, errno != EAGAIN {
            failure = TransportError(errno: errno, of: "recv")
            status = .error
        }
        awaitsRead = false
        if isSuspended {
            isSuspended = false
            source?.resume()
        }
        return count
    }

    /// This stream has no buffer of its own to lend.
    ///
    /// - Returns: `false`.
    public override func getBuffer(
        _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, length: UnsafeMutablePointer<Int>
    ) -> Bool {
        false
    }

    private func becameOpen() {
        guard status == .opening else { return }
        status = .open
        listener?.stream(self, handle: .openCompleted)
    }

    private func becameReadable() {
        switch status {
        case .open:
            awaitsRead = true
            listener?.stream(self, handle: .hasBytesAvailable)
            if awaitsRead, !isSuspended, let source {
                isSuspended = true
                source.suspend()
            }
        case .atEnd:
            stopWatching()
            listener?.stream(self, handle: .endEncountered)
        case .error:
            stopWatching()
            listener?.stream(self, handle: .errorOccurred)
        case .notOpen, .opening, .reading, .writing, .closed:
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
