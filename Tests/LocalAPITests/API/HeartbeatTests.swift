import LocalAPIModel
import Node
import Testing

@testable import LocalAPIClient
@testable import LocalAPIServer

@Suite("Heartbeats on an event stream")
struct HeartbeatTests {
    private struct Enough: Error {}

    private static let interval = Duration.milliseconds(20)

    private static func event(_ id: UInt64) -> PublishedEvent {
        PublishedEvent(NodeEvent(id: id, type: .peer))
    }

    @Test func `come again and again while nothing else does`() async throws {
        let events = EventSubscription(after: 0, keeping: 1)
        var heartbeats = 0
        await #expect(throws: Enough.self) {
            try await EventsWithHeartbeat.follow(events, every: Self.interval) { event in
                guard event.type == .heartbeat else { return }
                heartbeats += 1
                if heartbeats == 3 { throw Enough() }
            }
        }
        #expect(heartbeats == 3)
    }

    @Test func `take no events away and do not change their order`() async throws {
        let events = EventSubscription(after: 0, keeping: 50)
        let publisher = Task {
            for id in 1...50 as ClosedRange<UInt64> {
                events.feed.yield(Self.event(id))
                if id.isMultiple(of: 10) { try await Task.sleep(for: Self.interval * 3) }
            }
            events.end()
        }
        var seen: [UInt64] = []
        var heartbeats = 0
        try await EventsWithHeartbeat.follow(events, every: Self.interval) { event in
            if event.type == .heartbeat { heartbeats += 1 } else { seen.append(event.id) }
        }
        try await publisher.value
        #expect(seen == Array(1...50))
        #expect(heartbeats > 0)
    }

    @Test func `a reader who is stuck holds one event, and finds no heap of heartbeats`() async throws {
        let events = EventSubscription(after: 0, keeping: 3)
        var seen: [UInt64] = []
        var heartbeats = 0
        events.feed.yield(Self.event(1))
        try await EventsWithHeartbeat.follow(events, every: .milliseconds(2)) { event in
            guard event.type != .heartbeat else {
                heartbeats += 1
                return
            }
            seen.append(event.id)
            guard seen.count == 1 else { return }
            for id in 2...9 as ClosedRange<UInt64> { events.feed.yield(Self.event(id)) }
            try await Task.sleep(for: .milliseconds(500))
            events.end()
        }
        // The node's bound decides what is lost, and the gap in the numbers tells it.
        #expect(seen == [1, 7, 8, 9])
        #expect(heartbeats < 50, "500 ms are 250 intervals")
    }

    @Test func `have a name on the wire and the id of the event before, and a browser is told when to come back`()
        async throws
    {
        try await Alice.tells(knowing: [], heartbeat: .milliseconds(50)) { alice in
            let last = try await alice.client.status().lastEvent
            let connection = try RawConnection(to: alice.node.socketPath)
            let stream = await connection.exchange(
                ["GET /api/v1/events HTTP/1.1\r\nHost: x\r\n\r\n"], until: "\"heartbeat\"}\n\n")
            #expect(stream.contains(": connected\nretry: 2000\nid: "))
            #expect(stream.contains("event: heartbeat\ndata: {\"id\":\(last),\"type\":\"heartbeat\"}\n\n"))
        }
    }
}
