import LocalAPIModel
import Node
import Testing
import Waiting

@testable import LocalAPIClient
@testable import LocalAPIServer

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

    /// Follows as ``follow(_:since:until:onConnected:)`` does, once a listener before it has given its slot back.
    private func followOnceThereIsRoom(_ client: LocalClient, until text: String) async throws {
        for _ in 0..<500 {
            do {
                _ = try await follow(client, until: text)
                return
            } catch LocalClientError.refused(let detail) where detail.code == "too_many_streams" {
                try await Task.sleep(for: .milliseconds(20))
            }
        }
        Issue.record("no slot was given back")
    }

    @Test func `arrive as they happen, with rising ids`() async throws {
        try await Alice.tells { alice in
            let group = try await alice.client.createGroup(name: "Ship", members: ["Bob", "Carol"])
            let (connected, connects) = AsyncStream<Void>.makeStream()
            async let events = follow(alice.client, until: "last") { connects.finish() }
            for await _ in connected {}
            for text in ["first", "second", "last"] { _ = try await alice.client.send(text, to: group.id) }
            let seen = try await events
            #expect(seen.compactMap(\.message).filter { $0.kind == .text }.map(\.text) == ["first", "second", "last"])
            #expect(zip(seen, seen.dropFirst()).allSatisfy { $0.id < $1.id })
        }
    }

    @Test func `tell when a message came as the list does`() async throws {
        try await Alice.tells { alice in
            let group = try await alice.client.createGroup(name: "Ship", members: ["Bob", "Carol"])
            for number in 1...10 { _ = try await alice.client.send("\(number)", to: group.id) }
            let told = try await follow(alice.client, since: alice.beginning, until: "10").compactMap(\.message)
            let listed = try await alice.client.messages(in: group.id).messages
            #expect(told.map(\.id) == listed.map(\.id))
            #expect(told.map(\.receivedAt) == listed.map(\.receivedAt))
            #expect(listed.count { $0.receivedAt != nil } == 10, "a report of the group is none that comes")
        }
    }

    @Test func `resume after the last one seen`() async throws {
        try await Alice.tells { alice in
            let group = try await alice.client.createGroup(name: "Ship", members: ["Bob", "Carol"])
            for text in ["first", "second", "third"] { _ = try await alice.client.send(text, to: group.id) }
            let all = try await follow(alice.client, since: alice.beginning, until: "third")
            let second = try #require(all.first { $0.message?.text == "second" })
            let rest = try await follow(alice.client, since: second.id, until: "third")
            #expect(rest.map(\.id) == all.map(\.id).filter { $0 > second.id })
        }
    }

    @Test func `resume by the header that browsers send, in the form they read`() async throws {
        try await Alice.tells { alice in
            let group = try await alice.client.createGroup(name: "Ship", members: ["Bob", "Carol"])
            for text in ["first", "second"] { _ = try await alice.client.send(text, to: group.id) }
            let all = try await follow(alice.client, since: alice.beginning, until: "second")
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

    @Test func `resume from the place where a stream began, if it ended before its first event`() async throws {
        try await Alice.tells { alice in
            let group = try await alice.client.createGroup(name: "Ship", members: ["Bob", "Carol"])
            let connection = try RawConnection(to: alice.node.socketPath)
            let stream = await connection.exchange(
                ["GET /api/v1/events HTTP/1.1\r\nHost: x\r\n\r\n"], until: "\n\n")
            let line = try #require(stream.split(separator: "\n").first { $0.hasPrefix("id: ") })
            _ = try await alice.client.send("missed", to: group.id)
            let seen = try await follow(alice.client, since: UInt64(line.dropFirst(4)), until: "missed")
            #expect(!seen.contains { $0.type == .resync })
        }
    }

    /// An id that no event of this run of the node can follow.
    enum StaleID: CaseIterable {
        case zero
        case ofAnEarlierRun
        case ofTheFuture

        func id(now: UInt64) -> UInt64 {
            switch self {
            case .zero: 0
            case .ofAnEarlierRun: now - 60_000_000
            case .ofTheFuture: now + 1_000_000
            }
        }
    }

    @Test(arguments: StaleID.allCases)
    func `tell somebody who was away too long to ask for everything`(stale: StaleID) async throws {
        try await Alice.tells { alice in
            let group = try await alice.client.createGroup(name: "Ship", members: ["Bob", "Carol"])
            let now = try await alice.client.status().lastEvent
            let (connected, connects) = AsyncStream<Void>.makeStream()
            async let events = follow(alice.client, since: stale.id(now: now), until: "new") { connects.finish() }
            for await _ in connected {}
            _ = try await alice.client.send("new", to: group.id)
            let seen = try await events
            #expect(seen.first?.type == .resync)
            #expect(seen.filter { $0.type == .resync }.count == 1)
            #expect(zip(seen, seen.dropFirst()).allSatisfy { $0.id < $1.id })
        }
    }

    @Test func `have higher ids after a restart`() async throws {
        func lastID() async throws -> UInt64 {
            try await Alice.tells(knowing: []) { try await $0.client.status().lastEvent }
        }
        let first = try await lastID()
        let second = try await lastID()
        #expect(second > first)
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

    @Test(.scaledTimeLimit(minutes: 5))
    func `reach a thousand idle listeners, and requests are answered meanwhile`() async throws {
        try await Alice.tells { alice in
            let group = try await alice.client.createGroup(name: "Ship", members: ["Bob", "Carol"])
            let (connected, connects) = AsyncStream<Void>.makeStream()
            try await withThrowingTaskGroup { listeners in
                for _ in 0..<EventStreamSlots.maximumStreams {
                    listeners.addTask {
                        try await follow(alice.client, until: "everybody?") { connects.yield() }.isEmpty
                    }
                }
                var count = 0
                for await _ in connected {
                    count += 1
                    if count == EventStreamSlots.maximumStreams { break }
                }
                // One more is refused; questions have connections left.
                let refusal = await #expect(throws: LocalClientError.self) {
                    _ = try await follow(alice.client, until: "never")
                }
                #expect(refusal?.detail.code == "too_many_streams")
                _ = try await alice.client.status()
                _ = try await alice.client.send("everybody?", to: group.id)
                for try await isEmpty in listeners { #expect(!isEmpty) }
            }
            // Their places are free again, as soon as the service has seen that the listeners are gone.
            try await withThrowingTaskGroup { tasks in
                tasks.addTask { try await followOnceThereIsRoom(alice.client, until: "again?") }
                tasks.addTask {
                    while !Task.isCancelled {
                        _ = try await alice.client.send("again?", to: group.id)
                        try await Task.sleep(for: .milliseconds(20))
                    }
                }
                try await tasks.next()
                tasks.cancelAll()
            }
        }
    }

    @Test func `are refused to who shows a conversation that there is not`() async throws {
        try await Alice.tells { alice in
            let refusal = await #expect(throws: LocalClientError.self) {
                try await alice.client.follow(showing: "Nowhere") { _ in }
            }
            #expect(refusal?.detail.code == "conversation_not_found")
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
        _ = try parser.consume(Array(repeating: UInt8(ascii: "x"), count: EventStreamParser.maximumLineBytes))
        #expect(throws: LocalClientError.self) { try parser.consume([UInt8(ascii: "x")]) }
    }

    @Test func `that were dropped leave a gap that is found`() {
        var gaps = EventStream.GapFinder(after: 4)
        #expect(
            [5, 6, 7, 9, 10, 20, 0, UInt64.max].map { gaps.lastMissing(before: $0) } == [
                nil, nil, nil, 8, nil, 19, nil, UInt64.max - 1,
            ])
        var late = EventStream.GapFinder(after: 4)
        #expect(late.lastMissing(before: 7) == 6)
    }
}
