import LocalAPIModel
import Node
import ServiceLifecycle
import Synchronization

/// Events in their order, and between them a sign of life at even intervals: who is behind a connection that broke
/// without a word does not notice it otherwise, and what closes idle connections in between closes this one.
enum EventsWithHeartbeat {
    /// Takes events and signs of life as they come until there are no more, or the service is shut down.
    ///
    /// One at a time is on its way to a reader. What a slow reader does not take waits in the node, which bounds it.
    ///
    /// - Parameter interval: After how long a heartbeat comes, and after how long another. While something is on its
    ///   way none comes: that is sign enough, and a reader who is stuck must not find a heap of them.
    static func follow(
        _ subscription: EventSubscription, every interval: Duration, take: (NodeEvent) async throws -> Void
    ) async throws {
        let isTaking = Flag()
        // Not a sequence that ends by itself then: that one runs a task of its own, which would change threads with
        // every event.
        try await withGracefulShutdownHandler {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    while true {
                        try await Task.sleep(for: interval)
                        if !isTaking.isUp { subscription.beat() }
                    }
                }
                defer { group.cancelAll() }
                for await published in subscription.events {
                    isTaking.isUp = true
                    try await take(published.event)
                    isTaking.isUp = false
                }
            }
        } onGracefulShutdown: {
            subscription.end()
        }
    }

    /// Something that is so or not, for two tasks.
    private final class Flag: Sendable {
        private let state = Atomic(false)

        var isUp: Bool {
            get { state.load(ordering: .relaxed) }
            set { state.store(newValue, ordering: .relaxed) }
        }
    }
}
