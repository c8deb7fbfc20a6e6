import LocalAPIModel

/// Events as they come to one who watches.
public struct EventSubscription: Sendable {
    /// The id after which the stream begins: who resumes from it before any event came misses nothing.
    public let position: UInt64
    /// The events; those that a slow reader lost leave a gap in the ids.
    public let events: AsyncStream<PublishedEvent>
}

/// An event that all watchers share, so that a thousand who do not keep up hold it once.
public final class PublishedEvent: Sendable {
    /// What happened.
    public let event: NodeEvent

    /// Shares an event.
    public init(_ event: NodeEvent) {
        self.event = event
    }
}
