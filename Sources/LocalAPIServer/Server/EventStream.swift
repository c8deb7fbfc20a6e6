import HTTPTypes
import Hummingbird
import LocalAPIModel
import Logging
import NIOCore
import Node

/// The node's events as server-sent events (HTML Living Standard, section 9.2).
enum EventStream {
    /// After how long a browser whose connection broke comes back.
    private static let retryMilliseconds = 2_000

    /// Whoever follows was let in by something that is not good any more: the stream ends.
    private struct NoLongerAllowed: Error {}

    /// An answer that goes on until the client leaves or the node stops.
    ///
    /// A client that reads slowly slows down only its own stream: the node keeps a bounded number of events for it, and
    /// where some were dropped a `resync` takes their slot.
    ///
    /// - Parameters:
    ///   - slot: Held until the stream ends.
    ///   - shown: The conversation that the client shows to the user, held as long.
    ///   - isAllowed: Asked before each event whether the client may still see it.
    ///   - executor: Runs on the thread of the connection.
    ///   - interval: After how long a heartbeat comes, and after how long another.
    static func answer(
        to request: Request, with subscription: EventSubscription, at slot: EventStreamSlots.Slot,
        showing shown: ShownConversation?, encodedBy encoder: SharedEventEncoder, on executor: EventLoopExecutor,
        heartbeatEvery interval: Duration,
        isAllowed: @escaping @Sendable () -> Bool
    ) -> Response {
        let body = ResponseBody { writer in
            defer { withExtendedLifetime((slot, shown)) {} }
            // The first bytes go out at once, so that the client knows from when on it sees everything. An id without
            // data is no event, but a client that loses the connection before the first one resumes from it.
            try await writer.write(
                ByteBuffer(string: ": connected\nretry: \(retryMilliseconds)\nid: \(subscription.position)\n\n"))
            // On the thread of the connection, so that an event wakes one thread and not one after the other.
            try await withTaskExecutorPreference(executor) {
                try await request.body.consumeWithCancellationOnInboundClose { _ in
                    var gaps = GapFinder(after: subscription.position)
                    do {
                        try await EventsWithHeartbeat.follow(subscription, every: interval) { event in
                            guard isAllowed() else { throw NoLongerAllowed() }
                            guard event.type != .heartbeat else {
                                return try await writer.write(ByteBuffer(bytes: heartbeat(after: gaps.last)))
                            }
                            if let missing = gaps.lastMissing(before: event.id) {
                                try await writer.write(ByteBuffer(bytes: resync(missing)))
                            }
                            try await writer.write(try encoder.encode(event))
                        }
                    } catch is NoLongerAllowed {
                        // Who comes back is told why they are not let in.
                    }
                }
            }
            try await writer.finish(nil)
        }
        return Response(
            status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"], body: body)
    }

    /// One event with its id, its type and itself as JSON, which never has a line break in it.
    static func encode(_ event: NodeEvent) throws(UnreadableJSON) -> [UInt8] {
        var bytes = Array("id: \(event.id)\nevent: \(event.type.rawValue)\ndata: ".utf8)
        bytes += try WireFormat.encode(event)
        bytes += Array("\n\n".utf8)
        return bytes
    }

    /// The event that says that the stream is alive. It has no id of its own, so that whoever resumes begins after a
    /// real one.
    private static func heartbeat(after id: UInt64) -> [UInt8] {
        Array("event: heartbeat\ndata: {\"id\":\(id),\"type\":\"heartbeat\"}\n\n".utf8)
    }

    /// The event that tells a client to ask again for everything it shows.
    private static func resync(_ id: UInt64) -> [UInt8] {
        Array("id: \(id)\nevent: resync\ndata: {\"id\":\(id),\"type\":\"resync\"}\n\n".utf8)
    }

    /// Finds where events are missing in a stream whose ids rise by one.
    struct GapFinder {
        /// The id of the event before.
        private(set) var last: UInt64

        /// Begins after an id.
        init(after position: UInt64) {
            last = position
        }

        /// The id of the last event missing before this one, or nil if none is.
        mutating func lastMissing(before id: UInt64) -> UInt64? {
            defer { last = id }
            guard id > last, id - last > 1 else { return nil }
            return id - 1
        }
    }
}
