import LocalAPIModel
import Node
import Testing

@testable import LocalAPIClient

@Suite("The local API about conversations")
struct ConversationRouteTests {
    @Test func `makes a group, finds it by id, beginning of an id and name, and lists it`() async throws {
        try await Alice.tells { alice in
            let group = try await alice.client.createGroup(name: "Ship", members: ["Bob", "Carol"])
            #expect(group.kind == .group)
            #expect(group.memberCount == 3)
            for name in [group.id, String(group.id.prefix(10)), "Ship"] {
                #expect(try await alice.client.conversation(name).id == group.id)
            }
            #expect(try await alice.client.conversations().map(\.id) == [group.id])
            #expect(try await alice.client.conversations(matching: "Shi").map(\.id) == [group.id])
            #expect(try await alice.client.conversations(matching: "Plane").isEmpty)
        }
    }

    @Test func `shows the members page by page, the most senior first, each once`() async throws {
        try await Alice.tells { alice in
            let group = try await alice.client.createGroup(name: "Ship", members: ["Bob", "Carol"])
            let whole = try await alice.client.members(of: "Ship")
            #expect(whole.members == group.members)
            #expect(whole.next == nil)
            let first = try await alice.client.members(of: "Ship", limit: 2)
            #expect(first.memberCount == 3)
            #expect(first.members == Array(group.members.prefix(2)))
            let second = try await alice.client.members(of: "Ship", after: first.next, limit: 2)
            #expect(second.members == Array(group.members.suffix(1)))
            #expect(second.next == nil)
            // A page that is just full is the last one.
            #expect(try await alice.client.members(of: "Ship", limit: 3).next == nil)
        }
    }

    @Test func `answers the making of a group with status 201`() async throws {
        try await Alice.tells { alice in
            let request = try LocalRequest(.post, "conversations")
                .with(CreateConversation(kind: .group, name: "Ship", members: ["Bob", "Carol"]))
            #expect(try await alice.client.exchange(request).status == 201)
        }
    }

    @Test(arguments: ["a/b", "50% off", "Äpfel & Öl", "a?b#c=d", "🚢 +1", "..", "a//b"])
    func `finds a group whatever its name`(name: String) async throws {
        try await Alice.tells { alice in
            let group = try await alice.client.createGroup(name: name, members: ["Bob", "Carol"])
            #expect(try await alice.client.conversation(name).id == group.id)
        }
    }

    @Test func `changes name and description, and leaves alone what is not given`() async throws {
        try await Alice.tells { alice in
            let group = try await alice.client.createGroup(name: "Ship", members: ["Bob", "Carol"])
            #expect(try await alice.client.change(group.id, description: "All aboard").name == "Ship")
            let renamed = try await alice.client.change(group.id, name: "Boat")
            #expect(renamed.name == "Boat")
            #expect(renamed.description == "All aboard")
        }
    }

    @Test func `says what a group is set to, and of a direct conversation nothing`() async throws {
        try await Alice.tells { alice in
            let group = try await alice.client.createGroup(name: "Ship", members: ["Bob", "Carol"])
            #expect(group.settings?.announcement == .off)
            #expect(group.settings?.membersAdd == .moderators)
            let changed = try await alice.client.change(
                group.id, settings: ["announcement": "on", "members-add": "everyone"])
            #expect(changed.settings?.announcement == .on)
            #expect(changed.settings?.membersAdd == .everyone)
            #expect(try await alice.client.openDirect(with: "Bob").settings == nil)
        }
    }

    @Test func `opens a direct conversation with exactly one person`() async throws {
        try await Alice.tells { alice in
            #expect(try await alice.client.openDirect(with: "Bob").kind == .direct)
            let request = try LocalRequest(.post, "conversations")
                .with(CreateConversation(kind: .direct, members: ["Bob", "Carol"]))
            #expect(try await alice.client.exchange(request).status == 400)
        }
    }

    @Test func `gives and takes roles, removes, and lets leave`() async throws {
        try await Alice.tells { alice in
            let group = try await alice.client.createGroup(name: "Ship", members: ["Bob", "Carol"])
            let promoted = try await alice.client.setRole(of: "Bob", in: group.id, to: "admin")
            #expect(promoted.members.first { $0.name == "Bob" }?.role == .admin)
            let removed = try await alice.client.remove("Carol", from: group.id)
            #expect(!removed.members.contains { $0.name == "Carol" })
            #expect(try await alice.client.add(["Carol"], to: group.id).memberCount == 3)
            let left = try await alice.client.leave(group.id, successor: "Bob")
            #expect(!left.me.isMember)
        }
    }

    @Test func `takes nothing back where there is nothing, nor since a time to come`() async throws {
        try await Alice.tells { alice in
            let group = try await alice.client.createGroup(name: "Ship", members: ["Bob", "Carol"])
            for (since, code) in [
                ("2020-01-01T00:00:00Z", "invalid_operation"), ("2099-01-01T00:00:00Z", "invalid_request"),
                ("yesterday", "invalid_request"), ("", "invalid_request"),
            ] {
                #expect(
                    await refusal { try await alice.client.removalLosses(of: "Bob", from: group.id, since: since) }
                        == code)
                #expect(
                    await refusal { try await alice.client.remove("Bob", from: group.id, since: since) } == code)
            }
            let since = "2020-01-01T00:00:00Z"
            #expect(
                await refusal { try await alice.client.removalLosses(of: "Nobody", from: group.id, since: since) }
                    == "unknown_person")
            #expect(try await alice.client.conversation(group.id).memberCount == 3)
        }
    }

    @Test func `tells the history of the membership and what is void`() async throws {
        try await Alice.tells { alice in
            let group = try await alice.client.createGroup(name: "Ship", members: ["Bob", "Carol"])
            let history = try await alice.client.membershipHistory(of: group.id)
            #expect(history.contains { $0.effective })
            // The first has no parents; each other one names operations of the lane that come before it.
            var seen: Set<String> = []
            for entry in history {
                #expect(entry.parents.isEmpty == seen.isEmpty && seen.isSuperset(of: entry.parents))
                seen.insert(entry.id)
            }
            #expect(try await alice.client.membershipReasons(of: group.id).allSatisfy { !$0.effective })
        }
    }
}
