import Node
import ServiceLifecycle
import Synchronization

/// Events in their order, and between them word that none came for a while: what is behind a connection that broke without a word, and
/// what closes idle ones in between, learns of neither unless something is written now and then.
enum EventsWithSilence {
    /// What there is to write.
    enum Signal: Sendable {
        case event(PublishedEvent)
        /// Nothing was written for one to two times the span of silence.
        case silence
    }

    private enum Step: Sendable {
        case event(PublishedEvent)
        case tick
    }

    /// Takes events as they come until there are no more, or the service is shut down.
    ///
    /// One event at a time is on its way to a reader. What a slow reader does not take waits in the node, which bounds it.
    ///
    /// - Parameter span: How long nothing comes before silence is told, at least; it is told within twice as long.
    static func follow(
        _ events: AsyncStream<PublishedEvent>, span: Duration, take: (Signal) async throws -> Void
    ) async throws {
        let (steps, stepping) = AsyncStream<Step>.makeStream()
        let (taken, taking) = AsyncStream<Void>.makeStream()
        let isTickWaiting = Flag()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                var confirmations = taken.makeAsyncIterator()
                for await event in events.cancelOnGracefulShutdown() {
                    stepping.yield(.event(event))
                    await confirmations.next()
                }
                stepping.finish()
            }
            group.addTask {
                while !Task.isCancelled {
                    try await Task.sleep(for: span)
                    // A reader who is stuck must not find a heap of them.
                    if isTickWaiting.raise() { stepping.yield(.tick) }
                }
            }
            defer { group.cancelAll() }
            var isSilent = false
            for await step in steps {
                switch step {
                case .event(let event):
                    isSilent = false
                    try await take(.event(event))
                    taking.yield()
                case .tick:
                    if isSilent { try await take(.silence) }
                    isSilent = true
                    isTickWaiting.lower()
                }
            }
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
