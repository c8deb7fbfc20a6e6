import LocalAPIModel
import Node
import Testing

@testable import LocalAPIClient

@Suite("The local API about messages")
struct MessageRouteTests {
    @Test func `sends a text and reads it back`() async throws {
        try await Alice.tells { alice in
            let group = try await alice.client.createGroup(name: "Ship", members: ["Bob", "Carol"])
            let text = "Zeile 1\nZeile 2 \"quoted\" \\ 🚢 \u{1B}[2J"
            let sent = try await alice.client.send(text, to: group.id)
            #expect(sent.text == text)
            #expect(try await texts(alice, group).last == text)
        }
    }

    @Test func `sends a thousand texts at once and pages through them both ways`() async throws {
        try await Alice.tells { alice in
            let group = try await alice.client.createGroup(name: "Ship", members: ["Bob", "Carol"])
            let texts = (1...1_000).map { "message \($0)" }
            let sent = try await alice.client.send(texts, to: group.id)
            #expect(sent.ids.count == 1_000)

            let newest = try await alice.client.messages(in: group.id, limit: 100)
            #expect(newest.messages.map(\.text) == Array(texts.suffix(100)))
            let older = try await alice.client.messages(
                in: group.id, before: newest.earlier, limit: 100)
            #expect(older.messages.map(\.text) == Array(texts[800..<900]))
            let newer = try await alice.client.messages(in: group.id, after: older.messages.last?.id, limit: 100)
            #expect(newer.messages.map(\.id) == newest.messages.map(\.id))
        }
    }

    @Test func `gives a page around a message and around a moment`() async throws {
        try await Alice.tells { alice in
            let group = try await alice.client.createGroup(name: "Ship", members: ["Bob", "Carol"])
            let texts = (0..<100).map { "message \($0)" }
            let ids = try await alice.client.send(texts, to: group.id).ids
            func page(_ place: (String, String), limit: Int) async throws -> MessagePage {
                let request = LocalRequest(
                    .get, "conversations", group.id, "messages", query: [place, ("limit", String(limit))])
                let answer = try await alice.client.exchange(request)
                #expect(answer.status == 200)
                return try WireFormat.decode(MessagePage.self, from: answer.body)
            }
            let middle = try await page(("around", ids[50]), limit: 11)
            #expect(middle.messages.map(\.id) == Array(ids[45...55]))
            #expect(middle.earlier == ids[45] && middle.later == ids[55])
            let alone = try await page(("around", ids[50]), limit: 1)
            #expect(alone.messages.map(\.id) == [ids[50]])
            let end = try await page(("around", ids[99]), limit: 11)
            #expect(end.messages.map(\.id) == Array(ids[94...]) && end.later == nil)
            let whole = try await page(("around", ids[0]), limit: 1_000)
            #expect(whole.messages.count == 101, "with the report that the group was made")
            #expect(whole.earlier == nil && whole.later == nil)
            let report = try #require(whole.messages.first)
            #expect(report.kind == .system)
            #expect(try await page(("around", report.id), limit: 4).messages.map(\.id) == [report.id] + ids[..<3])

            let before = try await page(("at", "2001-01-01T00:00:00Z"), limit: 4)
            #expect(before.messages.map(\.id) == whole.messages.prefix(4).map(\.id))
            let after = try await page(("at", "2099-01-01T00:00:00Z"), limit: 4)
            #expect(after.messages.map(\.id) == Array(ids.suffix(2)))
            for query in [
                "at=soon", "around=\(ids[1])&at=2001-01-01T00:00:00Z", "around=\(ids[1])&before=\(ids[2])",
                "at=2001-01-01T00:00:00Z&unread=true",
            ] {
                var request = LocalRequest(.get, "conversations", group.id, "messages")
                request.target += "?" + query
                #expect(try await alice.client.exchange(request).status == 400, "\(query)")
            }
            #expect(
                await refusal { try await alice.client.messages(in: group.id, around: "0123456789ab") }
                    == "message_not_found")
        }
    }

    @Test func `tells the user what their client called the request, in answers and events`() async throws {
        try await Alice.tells { alice in
            let group = try await alice.client.createGroup(name: "Ship", members: ["Bob", "Carol"])
            let events = await alice.node.subscribe().events.map(\.event)
            let sent = try await alice.client.send("Ahoy", to: group.id, clientID: "page-1")
            #expect(sent.clientId == "page-1")
            for await event in events where event.type == .message {
                #expect(event.message?.clientId == "page-1")
                break
            }
            let unnamed = try await alice.client.send("Again", to: group.id)
            #expect(unnamed.clientId == nil)
            #expect(
                try await alice.client.messages(in: group.id).messages.suffix(2).map(\.clientId) == ["page-1", nil])
        }
    }

    @Test func `takes either one text or a list of texts`() async throws {
        try await Alice.tells { alice in
            let group = try await alice.client.createGroup(name: "Ship", members: ["Bob", "Carol"])
            for body in [
                SendMessages(), SendMessages(text: "a", texts: ["b"]), SendMessages(texts: []),
                SendMessages(texts: Array(repeating: "a", count: Node.maximumTextsPerRequest + 1)),
            ] {
                let request = try LocalRequest(.post, "conversations", group.id, "messages").with(body)
                #expect(try await alice.client.exchange(request).status == 400)
            }
            #expect(try await texts(alice, group).isEmpty)
        }
    }

    @Test func `sends once what is asked twice with one client_id`() async throws {
        try await Alice.tells { alice in
            let group = try await alice.client.createGroup(name: "Ship", members: ["Bob", "Carol"])
            let other = try await alice.client.openDirect(with: "Bob")
            let first = try await alice.client.send("Once", to: group.id, clientID: "1")
            let second = try await alice.client.send("Once", to: group.id, clientID: "1")
            #expect(second.id == first.id)
            let several = try await alice.client.send(["a", "b"], to: group.id, clientID: "2")
            #expect(try await alice.client.send(["a", "b"], to: group.id, clientID: "2") == several)
            #expect(try await texts(alice, group) == ["Once", "a", "b"])
            // In another conversation it is another request.
            _ = try await alice.client.send("Once", to: other.id, clientID: "1")
            #expect(try await texts(alice, other) == ["Once"])
        }
    }

    @Test func `does not take another text for a repetition`() async throws {
        try await Alice.tells { alice in
            let group = try await alice.client.createGroup(name: "Ship", members: ["Bob", "Carol"])
            let first = try await alice.client.send("One", to: group.id, clientID: "1")
            for body in [
                SendMessages(text: "Two", clientId: "1"), SendMessages(text: "One", replyTo: first.id, clientId: "1"),
                SendMessages(
                    text: "Long", clientId: String(repeating: "x", count: APILimits.maximumClientIDBytes + 1)),
            ] {
                let request = try LocalRequest(.post, "conversations", group.id, "messages").with(body)
                let answer = try await alice.client.exchange(request)
                let code = try WireFormat.decode(ErrorDescription.self, from: answer.body).error.code
                #expect(answer.status == 400 && code == "invalid_request")
            }
            #expect(try await texts(alice, group) == ["One"])
        }
    }

    @Test func `gives what is unread, and not together with what came before`() async throws {
        try await Alice.tells { alice in
            let group = try await alice.client.createGroup(name: "Ship", members: ["Bob", "Carol"])
            _ = try await alice.client.send("My own", to: group.id)
            #expect(try await alice.client.messages(in: group.id, unread: true).messages.isEmpty)
            let request = LocalRequest(
                .get, "conversations", group.id, "messages", query: [("unread", "true"), ("before", "abcd")])
            #expect(try await alice.client.exchange(request).status == 400)
        }
    }

    @Test func `marks a conversation as read`() async throws {
        try await Alice.tells { alice in
            let group = try await alice.client.createGroup(name: "Ship", members: ["Bob", "Carol"])
            #expect(try await alice.client.markRead(group.id).unread == 0)
            let sent = try await alice.client.send("Hello", to: group.id)
            #expect(try await alice.client.markRead(group.id, upTo: sent.id).unread == 0)
            let refusal = await #expect(throws: LocalClientError.self) {
                _ = try await alice.client.markRead(group.id, upTo: "0123456789ab")
            }
            #expect(refusal?.detail.code == "message_not_found")
        }
    }

    @Test func `answers many requests at once`() async throws {
        try await Alice.tells { alice in
            let group = try await alice.client.createGroup(name: "Ship", members: ["Bob", "Carol"])
            try await withThrowingTaskGroup { tasks in
                for number in 0..<64 {
                    tasks.addTask { _ = try await alice.client.send("\(number)", to: group.id) }
                    tasks.addTask { _ = try await alice.client.status() }
                }
                try await tasks.waitForAll()
            }
            #expect(Set(try await texts(alice, group)) == Set((0..<64).map(String.init)))
        }
    }

    private func texts(_ alice: Alice, _ group: ConversationDescription) async throws -> [String] {
        try await alice.client.messages(in: group.id, limit: 1_000).messages.filter { $0.kind == .text }.map(\.text)
    }
}
