import LocalAPIModel

/// Events as they come to one who watches.
public struct EventSubscription: Sendable {
    /// The id after which the stream begins: who resumes from it before any event came misses nothing.
    public let position: UInt64
    /// The events; those that a slow reader lost leave a gap in the ids.
    public let events: AsyncStream<PublishedEvent>
    /// Takes the events in. The stream ends once its reader lets go of it, even where this is kept.
    package let feed: AsyncStream<PublishedEvent>.Continuation

    /// A stream that keeps a number of events for its reader, the latest.
    package init(after position: UInt64, keeping limit: Int) {
        self.position = position
        (events, feed) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(limit))
    }

    /// Tells that the stream is alive, by an event of type `heartbeat` without a number of its own. Who reads slowly
    /// may lose an event for it.
    public func beat() { feed.yield(.heartbeat) }

    /// Ends the stream behind what waits in it.
    public func end() { feed.finish() }
}

/// An event that all watchers share, so that a thousand who do not keep up hold it once.
public final class PublishedEvent: Sendable {
    /// What happened.
    public let event: NodeEvent

    /// That a stream is alive.
    static let heartbeat = PublishedEvent(NodeEvent(id: 0, type: .heartbeat))

    /// Shares an event.
    public init(_ event: NodeEvent) {
        self.event = event
    }
}
