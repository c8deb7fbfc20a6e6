import LocalAPIModel
import Node
import Testing

@testable import LocalAPIServer

@Suite("Silence on an event stream")
struct EventSilenceTests {
    private struct Enough: Error {}

    private static let span = Duration.milliseconds(20)

    private func event(_ id: UInt64) -> PublishedEvent {
        PublishedEvent(NodeEvent(id: id, type: .peer))
    }

    @Test func `is told again and again while nothing comes`() async throws {
        let (events, _) = AsyncStream<PublishedEvent>.makeStream()
        var silences = 0
        await #expect(throws: Enough.self) {
            try await EventsWithSilence.follow(events, span: Self.span) { signal in
                guard case .silence = signal else { return }
                silences += 1
                if silences == 3 { throw Enough() }
            }
        }
        #expect(silences == 3)
    }

    @Test func `does not take events away or change their order`() async throws {
        let (events, publish) = AsyncStream<PublishedEvent>.makeStream()
        let publisher = Task {
            for id in 1...50 as ClosedRange<UInt64> {
                publish.yield(event(id))
                if id.isMultiple(of: 10) { try await Task.sleep(for: Self.span * 3) }
            }
            publish.finish()
        }
        var seen: [UInt64] = []
        var silences = 0
        try await EventsWithSilence.follow(events, span: Self.span) { signal in
            switch signal {
            case .event(let published): seen.append(published.event.id)
            case .silence: silences += 1
            }
        }
        try await publisher.value
        #expect(seen == Array(1...50))
        #expect(silences > 0)
    }

    @Test func `a reader who is stuck holds one event, and finds no heap of silence`() async throws {
        let (events, publish) = AsyncStream<PublishedEvent>.makeStream(bufferingPolicy: .bufferingNewest(3))
        var seen: [UInt64] = []
        var silences = 0
        publish.yield(event(1))
        try await EventsWithSilence.follow(events, span: .milliseconds(2)) { signal in
            guard case .event(let published) = signal else {
                silences += 1
                return
            }
            seen.append(published.event.id)
            guard seen.count == 1 else { return }
            for id in 2...9 as ClosedRange<UInt64> { publish.yield(event(id)) }
            try await Task.sleep(for: .milliseconds(500))
            publish.finish()
        }
        // The node's bound decides what is lost, and the gap in the numbers tells it.
        #expect(seen == [1, 7, 8, 9])
        #expect(silences < 50, "500 ms are 250 times the span")
    }

    @Test func `is a comment on the wire, and a browser is told when to come back`() async throws {
        try await Alice.tells(knowing: [], eventSilence: .milliseconds(50)) { alice in
            let connection = try RawConnection(to: alice.node.socketPath)
            let stream = await connection.exchange(
                ["GET /api/v1/events HTTP/1.1\r\nHost: x\r\n\r\n"], until: ": nothing new\n\n")
            #expect(stream.contains(": connected\nretry: 2000\nid: "))
            #expect(stream.contains("\n\n: nothing new\n\n") || stream.contains("\r\n: nothing new\n\n"))
        }
    }
}
