import Node
import ServiceLifecycle
import Synchronization

/// Events in their order, and between them a sign of life at even intervals: who is behind a connection that broke without a word does not
/// notice it otherwise, and what closes idle connections in between closes this one.
enum EventsWithHeartbeat {
    /// What there is to write.
    enum Signal: Sendable {
        case event(PublishedEvent)
        /// It is time to say that the stream is alive.
        case heartbeat
    }

    private enum Step: Sendable {
        case event(PublishedEvent)
        case tick
    }

    /// Takes events as they come until there are no more, or the service is shut down.
    ///
    /// One event at a time is on its way to a reader. What a slow reader does not take waits in the node, which bounds it.
    ///
    /// - Parameter interval: After how long a heartbeat comes, and after how long another.
    static func follow(
        _ events: AsyncStream<PublishedEvent>, every interval: Duration, take: (Signal) async throws -> Void
    ) async throws {
        let (steps, stepping) = AsyncStream<Step>.makeStream()
        let (taken, taking) = AsyncStream<Void>.makeStream()
        let isTickWaiting = Flag()
        // Not a sequence that ends by itself then: that one runs a task of its own, which would change threads with every event.
        try await withGracefulShutdownHandler {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    var confirmations = taken.makeAsyncIterator()
                    for await event in events {
                        stepping.yield(.event(event))
                        await confirmations.next()
                    }
                    stepping.finish()
                }
                group.addTask {
                    while !Task.isCancelled {
                        try await Task.sleep(for: interval)
                        // A reader who is stuck must not find a heap of them.
                        if isTickWaiting.raise() { stepping.yield(.tick) }
                    }
                }
                defer { group.cancelAll() }
                for await step in steps {
                    switch step {
                    case .event(let event):
                        try await take(.event(event))
                        taking.yield()
                    case .tick:
                        try await take(.heartbeat)
                        isTickWaiting.lower()
                    }
                }
            }
        } onGracefulShutdown: {
            stepping.finish()
        }
    }

    /// Something that is so or not, for two tasks.
    private final class Flag: Sendable {
        private let isUp = Atomic(false)

        /// Makes it so; false if it was before.
        func raise() -> Bool { !isUp.exchange(true, ordering: .relaxed) }

        /// Makes it not so.
        func lower() { isUp.store(false, ordering: .relaxed) }
    }
}
