import Dispatch
import Glibc

/// Opens TCP connections to other nodes.
public enum StreamDialer {
    /// How long a peer may take to answer. On a local network the answer takes milliseconds.
    public static let defaultDeadline = Duration.seconds(3)

    /// Connects to an address and reports the socket on `queue`.
    ///
    /// - Parameters:
    ///   - address: Where the peer listens.
    ///   - deadline: How long the attempt may take.
    ///   - queue: A serial queue.
    ///   - report: Called once: with the socket, or with ``TransportError/refused(_:)``,
    ///     ``TransportError/unreachable(_:)``, ``TransportError/timedOut``, or what else the system says.
    public static func dial(
        _ address: SocketAddress, deadline: Duration = defaultDeadline, on queue: DispatchQueue,
        report: @escaping @Sendable (Result<Socket, TransportError>) -> Void
    ) {
        QueueConfined(DialAttempt(address, queue: queue, report: report), on: queue).later { $0.start(deadline) }
    }
}

/// One attempt to connect. Its sources keep it alive until it has been reported.
private final class DialAttempt {
    private let address: SocketAddress
    private let queue: DispatchQueue
    private var report: (@Sendable (Result<Socket, TransportError>) -> Void)?
    private var source: (any DispatchSourceRead)?
    private var timer: (any DispatchSourceTimer)?

    init(
        _ address: SocketAddress, queue: DispatchQueue,
        report: @escaping @Sendable (Result<Socket, TransportError>) -> Void
    ) {
        self.address = address
        self.queue = queue
        self.report = report
    }

    func start(_ deadline: Duration) {
        let descriptor: Descriptor
        do {
            descriptor = try Descriptor(family: address.family, SOCK_STREAM)
        } catch {
            return finish(.failure(error))
        }
        if address.withSockaddr({ connect(descriptor.number, $0, $1) }) == 0 { return connected(descriptor) }
        // An interrupted connect goes on by itself, like one that takes its time.
        guard errno == EINPROGRESS || errno == EINTR else {
            return finish(.failure(TransportError(errno: errno, of: "connect", on: address)))
        }
        let answer: Descriptor
        do {
            answer = try Readiness.toWrite(descriptor)
        } catch {
            return finish(.failure(error))
        }
        let source = DispatchSource.makeReadSource(fileDescriptor: answer.number, queue: queue)
        source.setEventHandler { self.answered(descriptor) }
        source.setCancelHandler { withExtendedLifetime((descriptor, answer)) {} }
        self.source = source
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler { self.finish(.failure(.timedOut)) }
        timer.schedule(deadline: .now() + deadline.dispatchInterval)
        self.timer = timer
        source.activate()
        timer.activate()
    }

    private func answered(_ descriptor: Descriptor) {
        switch descriptor.takeError() {
        case 0: connected(descriptor)
        case let number: finish(.failure(TransportError(errno: number, of: "connect", on: address)))
        }
    }

    private func connected(_ descriptor: Descriptor) {
        // A port that the system gave to this very socket: TCP then connects it to itself, although nobody listens.
        if descriptor.localAddress == address { return finish(.failure(.refused(address))) }
        finish(Result { () throws(TransportError) in try Socket(descriptor, peer: address) })
    }

    private func finish(_ result: Result<Socket, TransportError>) {
        source?.cancel()
        timer?.cancel()
        source = nil
        timer = nil
        let report = self.report
        self.report = nil
        report?(result)
    }
}
