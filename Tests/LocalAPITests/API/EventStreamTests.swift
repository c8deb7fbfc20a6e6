import Node
import Testing

@testable import LocalAPI

@Suite("Events of the local API")
struct EventStreamTests {
    private struct Enough: Error {}

    /// Follows until a message with the text arrives, and returns the events up to it.
    private func follow(
        _ client: LocalClient, since: UInt64? = nil, until text: String,
        onConnected: @Sendable @escaping () -> Void = {}
    ) async throws -> [NodeEvent] {
        var seen: [NodeEvent] = []
        do {
            try await client.follow(
                since: since, onConnected: { onConnected() },
                { event in
                    seen.append(event)
                    if event.message?.text == text { throw Enough() }
                })
        } catch is Enough {
            return seen
        }
        return seen
    }

    @Test func `arrive as they happen, with rising ids`() async throws {
        try await Alice.tells { alice in
            let group = try await alice.client.createGroup(name: "Ship", members: ["Bob", "Carol"])
            let (connected, connects) = AsyncStream<Void>.makeStream()
            async let events = follow(alice.client, until: "last") { connects.finish() }
            for await _ in connected {}
            for text in ["first", "second", "last"] { _ = try await alice.client.send(text, to: group.id) }
            let seen = try await events
            #expect(seen.compactMap(\.message).filter { $0.kind == "text" }.map(\.text) == ["first", "second", "last"])
            #expect(zip(seen, seen.dropFirst()).allSatisfy { $0.id < $1.id })
        }
    }

    @Test func `resume after the last one seen`() async throws {
        try await Alice.tells { alice in
            let group = try await alice.client.createGroup(name: "Ship", members: ["Bob", "Carol"])
            for text in ["first", "second", "third"] { _ = try await alice.client.send(text, to: group.id) }
            let all = try await follow(alice.client, since: 0, until: "third")
            let second = try #require(all.first { $0.message?.text == "second" })
            let rest = try await follow(alice.client, since: second.id, until: "third")
            #expect(rest.map(\.id) == all.map(\.id).filter { $0 > second.id })
        }
    }

    @Test func `resume by the header that browsers send, in the form they read`() async throws {
        try await Alice.tells { alice in
            let group = try await alice.client.createGroup(name: "Ship", members: ["Bob", "Carol"])
            for text in ["first", "second"] { _ = try await alice.client.send(text, to: group.id) }
            let all = try await follow(alice.client, since: 0, until: "second")
            let first = try #require(all.first { $0.message?.text == "first" })
            let connection = try RawConnection(to: alice.node.socketPath)
            let stream = await connection.exchange(
                ["GET /api/v1/events HTTP/1.1\r\nHost: x\r\nLast-Event-ID: \(first.id)\r\n\r\n"],
                until: "second")
            #expect(stream.lowercased().contains("content-type: text/event-stream"))
            #expect(stream.contains("id: \(first.id + 1)\nevent: "))
            #expect(!stream.contains("\"first\""))
        }
    }

    @Test func `refuse a last event id that is none`() async throws {
        try await Alice.tells { alice in
            let connection = try RawConnection(to: alice.node.socketPath)
            let answer = await connection.exchange(
                ["GET /api/v1/events HTTP/1.1\r\nHost: x\r\nLast-Event-ID: soon\r\n\r\n"],
                until: "invalid_request")
            #expect(answer.hasPrefix("HTTP/1.1 400 "))
        }
    }

    @Test func `reach two hundred idle listeners, and requests are answered meanwhile`() async throws {
        try await Alice.tells { alice in
            let group = try await alice.client.createGroup(name: "Ship", members: ["Bob", "Carol"])
            let (connected, connects) = AsyncStream<Void>.makeStream()
            try await withThrowingTaskGroup { listeners in
                for _ in 0..<200 {
                    listeners.addTask {
                        try await follow(alice.client, until: "everybody?") { connects.yield() }.isEmpty
                    }
                }
                var count = 0
                for await _ in connected {
                    count += 1
                    if count == 200 { break }
                }
                _ = try await alice.client.status()
                _ = try await alice.client.send("everybody?", to: group.id)
                for try await isEmpty in listeners { #expect(!isEmpty) }
            }
        }
    }

    @Test func `end when the service stops, and nothing hangs`() async throws {
        try await Alice.tells { alice in
            let (connected, connects) = AsyncStream<Void>.makeStream()
            async let events = follow(alice.client, until: "never") { connects.finish() }
            for await _ in connected {}
            await alice.stopServing()
            _ = try await events
        }
    }

    @Test(arguments: 1...40)
    func `are found in pieces of any size`(size: Int) throws {
        let stream = Array(": hello\n\nid: 1\nevent: a\ndata: {\"a\":1}\n\ndata: {}\n\nid: 3\n\ndata: cut".utf8)
        var parser = EventStreamParser()
        var found: [String] = []
        for start in stride(from: 0, to: stream.count, by: size) {
            found += try parser.consume(stream[start..<min(start + size, stream.count)])
                .map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(found == ["{\"a\":1}", "{}"])
    }

    @Test func `with endless lines are given up`() throws {
        var parser = EventStreamParser()
        _ = try parser.consume(Array(repeating: UInt8(ascii: "x"), count: EventStreamParser.longestLine))
        #expect(throws: LocalClientError.self) { try parser.consume([UInt8(ascii: "x")]) }
    }

    @Test func `that were dropped leave a gap that is found`() {
        var gaps = EventStream.GapFinder()
        #expect(
            [5, 6, 7, 9, 10, 20, 0, UInt64.max].map { gaps.lastMissing(before: $0) } == [
                nil, nil, nil, 8, nil, 19, nil, UInt64.max - 1,
            ])
    }
}
