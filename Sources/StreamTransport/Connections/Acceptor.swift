import Dispatch
import Glibc
import Synchronization

/// The part of a listener that lives on its queue.
final class Acceptor {
    /// How many connections one turn of the queue accepts.
    private static let maximumPerTurn = 64
    /// How long to wait for a descriptor to become free. Waiting costs nothing: peers stay in the system's queue.
    private static let pause = Duration.milliseconds(100)

    /// Set to nil when accepting stops, which frees the port even if the listener is still referenced.
    private var descriptor: Descriptor?
    private let queue: DispatchQueue
    private let limit: SharedHalfOpenLimit
    private let handler: @Sendable (StreamListener.Event) -> Void
    private var source: (any DispatchSourceRead)?
    private var timer: (any DispatchSourceTimer)?
    private var isSuspended = false
    /// A connection that waits for the descriptors that go with it.
    private var halfAccepted: (Descriptor, SocketAddress, HalfOpenSlot)?

    init(
        _ descriptor: Descriptor, queue: DispatchQueue, limit: SharedHalfOpenLimit,
        handler: @escaping @Sendable (StreamListener.Event) -> Void
    ) {
        self.descriptor = descriptor
        self.queue = queue
        self.limit = limit
        self.handler = handler
    }

    deinit {
        stop()
    }

    func start() {
        guard let descriptor else { return }
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor.number, queue: queue)
        source.setEventHandler { [weak self] in self?.acceptWaiting() }
        source.setCancelHandler { withExtendedLifetime(descriptor) {} }
        self.source = source
        source.activate()
    }

    func stop() {
        timer?.cancel()
        timer = nil
        source?.cancel()
        // A suspended source would never get to its cancellation.
        if isSuspended { source?.resume() }
        isSuspended = false
        source = nil
        halfAccepted = nil
        descriptor = nil
    }

    private func acceptWaiting() {
        for _ in 0..<Self.maximumPerTurn {
            // The handler may have stopped the listener.
            guard let descriptor else { return }
            var number: Int32 = -1
            let peer = SocketAddress.reported { address, length in
                number = accept(descriptor.number, address, length)
                return number
            }
            if number < 0 {
                switch errno {
                case EAGAIN: return
                // The next one may be fine: these are about one connection, which broke before it was accepted.
                case EINTR, ECONNABORTED, EPROTO, ENETDOWN, ENOPROTOOPT, EHOSTDOWN, ENONET, EHOSTUNREACH, ENETUNREACH:
                    continue
                default: return pauseAccepting(because: TransportError(errno: errno, of: "accept"))
                }
            }
            let connection = Descriptor(owning: number)
            guard let peer else { continue }
            switch limit.admit(ConnectionSource(of: peer, reaching: connection.localAddress)) {
            case .refused(let refusal):
                handler(.turnedAway(peer, refusal))
            case .admitted(let slot, let displaced):
                if let displaced { handler(.displaced(displaced)) }
                halfAccepted = (connection, peer, slot)
                guard handOver() else { return }
            }
        }
    }

    /// Makes a socket of the connection accepted last, and hands it over.
    ///
    /// - Returns: Whether there was a descriptor left for it.
    private func handOver() -> Bool {
        guard let (connection, peer, slot) = halfAccepted else { return true }
        do throws(TransportError) {
            let socket = try Socket(connection, peer: peer)
            halfAccepted = nil
            slot.hold(socket)
            handler(.accepted(socket, slot))
            return true
        } catch {
            pauseAccepting(because: error)
            return false
        }
    }

    private func pauseAccepting(because error: TransportError) {
        guard let source, !isSuspended else { return }
        isSuspended = true
        source.suspend()
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler { [weak self] in self?.resumeAccepting() }
        timer.schedule(deadline: .now() + Self.pause.dispatchInterval)
        timer.activate()
        self.timer = timer
        handler(.paused(error))
    }

    private func resumeAccepting() {
        timer = nil
        guard isSuspended else { return }
        isSuspended = false
        source?.resume()
        _ = handOver()
    }
}
