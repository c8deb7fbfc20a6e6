import LocalAPIModel
import Node
import Testing

@testable import LocalAPIClient

@Suite("The local API about what a user keeps for themselves")
struct PrivateRouteTests {
    private func put(_ body: String, _ conversation: String) -> LocalRequest {
        var request = LocalRequest(.put, "conversations", conversation, "private")
        request.body = Array(body.utf8)
        return request
    }

    private func error(of request: LocalRequest, by alice: Alice) async throws -> String {
        let answer = try await alice.client.exchange(request)
        return try WireFormat.decode(ErrorDescription.self, from: answer.body).error.code
    }

    /// A group whose creation has reached the others: nothing in it changes by itself any more.
    private func settledShip(of alice: Alice) async throws -> ConversationDescription {
        let ship = try await alice.client.createGroup(name: "Ship", members: ["Bob", "Carol"])
        for _ in 0..<500 {
            let now = try await alice.client.conversation(ship.id)
            if now.sync == .synced { return now }
            try await Task.sleep(for: .milliseconds(20))
        }
        return try await alice.client.conversation(ship.id)
    }

    @Test func `shows what was kept, and null clears it`() async throws {
        try await Alice.tells { alice in
            let ship = try await settledShip(of: alice)
            #expect((ship.pinned, ship.archived, ship.mentionsOnly) == (false, false, false))
            #expect(ship.mutedUntil == nil && ship.tags.isEmpty && ship.draft == nil)
            let kept: ConversationDescription = try await alice.client.ask(
                put(
                    #"{"pinned":true,"archived":true,"muted_until":"forever","mentions_only":true,"#
                        + #""tags":["work","sea"],"draft":"Ahoy"}"#, ship.id))
            #expect((kept.pinned, kept.archived, kept.mentionsOnly) == (true, true, true))
            #expect((kept.mutedUntil, kept.tags, kept.draft) == ("forever", ["sea", "work"], "Ahoy"))
            let cleared: ConversationDescription = try await alice.client.ask(
                put(
                    #"{"pinned":null,"archived":null,"muted_until":null,"tags":null,"draft":null}"#, ship.id))
            #expect(cleared == ship)
        }
    }

    @Test func `pinned conversations come first, then the latest activity`() async throws {
        try await Alice.tells { alice in
            let ship = try await alice.client.createGroup(name: "Ship", members: ["Bob", "Carol"])
            let boat = try await alice.client.createGroup(name: "Boat", members: ["Bob", "Carol"])
            let raft = try await alice.client.createGroup(name: "Raft", members: ["Bob", "Carol"])
            _ = try await alice.client.change(ship.id, privately: PreferencesRequest(pinned: true))
            #expect(try await alice.client.conversations().map(\.id) == [ship.id, raft.id, boat.id])
            _ = try await alice.client.change(ship.id, privately: PreferencesRequest(pinned: false))
            #expect(try await alice.client.conversations().map(\.id) == [raft.id, boat.id, ship.id])
        }
    }

    @Test func `the archive is a list of its own, and tags find conversations`() async throws {
        try await Alice.tells { alice in
            let ship = try await alice.client.createGroup(name: "Ship", members: ["Bob", "Carol"])
            let boat = try await alice.client.createGroup(name: "Boat", members: ["Bob", "Carol"])
            _ = try await alice.client.change(
                ship.id, privately: PreferencesRequest(archived: true, addedTags: ["work"]))
            #expect(try await alice.client.conversations().map(\.id) == [boat.id])
            #expect(try await alice.client.conversations(.archived).map(\.id) == [ship.id])
            #expect(try await alice.client.conversations(tag: "work", .archived).map(\.id) == [ship.id])
            #expect(try await alice.client.conversations(tag: "work").isEmpty)
            #expect(
                try await alice.client.change(ship.id, privately: PreferencesRequest(removedTags: ["work"])).tags == [])
        }
    }

    @Test func `a group is archived for who leaves it, and they can take it out again`() async throws {
        try await Alice.tells { alice in
            let ship = try await alice.client.createGroup(name: "Ship", members: ["Bob", "Carol"])
            let left = try await alice.client.leave(ship.id, force: true)
            #expect(left.archived)
            #expect(try await alice.client.conversations().isEmpty)
            #expect(try await !alice.client.change(ship.id, privately: PreferencesRequest(archived: false)).archived)
        }
    }

    @Test func `what is archived while the group is not is archived again when the group is`() async throws {
        try await Alice.tells { alice in
            let ship = try await alice.client.createGroup(name: "Ship", members: ["Bob", "Carol"])
            _ = try await alice.client.change(ship.id, privately: PreferencesRequest(archived: true))
            _ = try await alice.client.change(ship.id, privately: PreferencesRequest(archived: false))
            #expect(try await alice.client.leave(ship.id, force: true).archived)
        }
    }

    @Test func `mentions only begins a mute without end, and leaves the end of another as it is`() async throws {
        try await Alice.tells { alice in
            let ship = try await alice.client.createGroup(name: "Ship", members: ["Bob", "Carol"])
            #expect(
                try await alice.client.change(ship.id, privately: PreferencesRequest(mentionsOnly: true)).mutedUntil
                    == "forever")
            let end = "2099-01-01T12:00:00.500Z"
            let timed = try await alice.client.change(ship.id, privately: PreferencesRequest(muting: .until(end)))
            #expect((timed.mutedUntil, timed.mentionsOnly) == (end, true))
            let all = try await alice.client.change(ship.id, privately: PreferencesRequest(mentionsOnly: false))
            #expect((all.mutedUntil, all.mentionsOnly) == (end, false))
        }
    }

    @Test func `a draft goes with the message only if the client asks`() async throws {
        try await Alice.tells { alice in
            let ship = try await alice.client.createGroup(name: "Ship", members: ["Bob", "Carol"])
            _ = try await alice.client.change(ship.id, privately: PreferencesRequest(draft: "Ahoy"))
            _ = try await alice.node.send(["something else"], to: ship.id)
            #expect(try await alice.client.conversation(ship.id).draft == "Ahoy")
            let request = try LocalRequest(.post, "conversations", ship.id, "messages")
                .with(SendMessages(text: "Ahoy", clearDraft: true))
            #expect(try await alice.client.exchange(request).status == 201)
            #expect(try await alice.client.conversation(ship.id).draft == nil)
        }
    }

    @Test func `whoever watches is told`() async throws {
        try await Alice.tells { alice in
            let ship = try await alice.client.createGroup(name: "Ship", members: ["Bob", "Carol"])
            let events = await alice.node.subscribe().events.map(\.event)
            _ = try await alice.client.change(ship.id, privately: PreferencesRequest(pinned: true))
            _ = try await alice.client.markRead(ship.id)
            var told = 0
            for await event in events where event.type == .conversation && event.conversation == ship.id {
                told += 1
                if told == 2 { break }
            }
            #expect(told == 2)
        }
    }

    @Test(arguments: [
        (#"{"pinned":"yes"}"#, "invalid_request"), (#"{"pin":true}"#, "invalid_request"),
        (#"{"muted_until":"tomorrow"}"#, "invalid_request"), (#"{"muted_until":""}"#, "invalid_request"),
        (#"{"muted_until":"2001-01-01T00:00:00Z"}"#, "invalid_request"),
        (#"{"tags":[""]}"#, "tag_invalid"), (#"{"add_tags":["a\nb"]}"#, "tag_invalid"),
        (#"{"tags":["1","2","3","4","5","6","7","8","9","10","11","12","13","14","15","16","17"]}"#, "tag_invalid"),
        (#"{"draft":""# + String(repeating: "x", count: 16_385) + #""}"#, "text_invalid"),
    ])
    func `anything else is refused`(body: String, code: String) async throws {
        try await Alice.tells { alice in
            let ship = try await settledShip(of: alice)
            #expect(try await error(of: put(body, ship.id), by: alice) == code)
            #expect(try await alice.client.conversation(ship.id) == ship)
        }
    }
}
