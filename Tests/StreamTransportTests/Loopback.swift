import Dispatch
import Foundation
import Synchronization
import Testing

@testable import StreamTransport

/// One event at a time from callbacks to a waiting test. A wait that is never answered fails the test instead of
/// hanging it.
final class AwaitedQueue<Element: Sendable>: Sendable {
    private let stream: AsyncStream<Element>
    private let continuation: AsyncStream<Element>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    func post(_ element: Element) {
        continuation.yield(element)
    }

    /// The next element, or nil if none comes within the timeout of a test.
    func next(within timeout: Duration = .seconds(5)) async -> Element? {
        let stopwatch = Task {
            try? await Task.sleep(for: timeout)
            if !Task.isCancelled { continuation.finish() }
        }
        defer { stopwatch.cancel() }
        for await element in stream { return element }
        return nil
    }
}

/// A connection whose events a test takes one by one.
final class Line: Sendable {
    let connection: StreamConnection
    let events: AwaitedQueue<StreamConnection.Event>

    init(_ socket: Socket, maximumSendBytes: Int = 4 << 20) {
        let events = AwaitedQueue<StreamConnection.Event>()
        self.events = events
        connection = StreamConnection(
            socket: socket, queue: DispatchQueue(label: "line"), maximumSendBytes: maximumSendBytes,
            handler: { events.post($0) })
    }

    /// The next `count` bytes, or fewer if the connection ends first.
    func receive(_ count: Int) async -> [UInt8] {
        var received: [UInt8] = []
        while received.count < count, let event = await events.next() {
            switch event {
            case .received(let bytes): received += bytes
            case .ended: return received
            case .opened, .drained: break
            }
        }
        return received
    }

    /// All bytes until the connection ends, and how it ended: nil if it did not, within the timeout of a test.
    func end() async -> (received: [UInt8], error: TransportError?)? {
        var received: [UInt8] = []
        while let event = await events.next() {
            switch event {
            case .received(let bytes): received += bytes
            case .ended(let error): return (received, error)
            case .opened, .drained: break
            }
        }
        return nil
    }
}

/// A listener on loopback whose connections a test takes one by one.
final class Door: Sendable {
    let listener: StreamListener
    let events: AwaitedQueue<StreamListener.Event>
    var address: SocketAddress { listener.address }

    convenience init(
        _ address: SocketAddress = SocketAddress(.loopbackV4, port: 0), limit: HalfOpenLimit = HalfOpenLimit()
    ) throws {
        try self.init(address, sharing: SharedHalfOpenLimit(limit))
    }

    init(_ address: SocketAddress = SocketAddress(.loopbackV4, port: 0), sharing limit: SharedHalfOpenLimit) throws {
        let events = AwaitedQueue<StreamListener.Event>()
        self.events = events
        listener = try StreamListener(
            at: address, queue: DispatchQueue(label: "door"), sharing: limit, handler: { events.post($0) })
    }

    /// The next accepted connection. Its place among the half-open ones is free again.
    func accept() async throws -> Socket {
        while let event = await events.next() {
            if case .accepted(let socket, let slot) = event {
                slot.release()
                return socket
            }
        }
        throw TransportError.timedOut
    }
}

/// Dials and waits for the outcome.
func dial(_ address: SocketAddress, deadline: Duration = .seconds(3)) async throws(TransportError) -> Socket {
    let outcome = await withCheckedContinuation { continuation in
        StreamDialer.dial(address, deadline: deadline, on: DispatchQueue(label: "dial")) { outcome in
            continuation.resume(returning: outcome)
        }
    }
    return try outcome.get()
}

/// Both ends of a new connection.
func connect(through door: Door) async throws -> (dialed: Socket, accepted: Socket) {
    async let dialed = dial(door.address)
    return (try await dialed, try await door.accept())
}

/// How many descriptors this process has open.
func openDescriptorCount() -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count ?? 0
}

extension Line {
    /// Both ends of a new connection.
    static func pair(through door: Door) async throws -> (alice: Line, bob: Line) {
        let (dialed, accepted) = try await connect(through: door)
        return (Line(dialed), Line(accepted))
    }

    /// Both ends of a new connection through a door of its own.
    static func pair() async throws -> (alice: Line, bob: Line) {
        try await pair(through: Door())
    }
}
