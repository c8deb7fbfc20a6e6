import LocalAPIModel
import Node
import Testing

@testable import LocalAPIClient

@Suite("The local API about the node")
struct NodeRouteTests {
    @Test func `tells who the user is and how the node does`() async throws {
        try await Alice.tells { alice in
            let status = try await alice.client.status()
            let profile = try await alice.client.profile()
            #expect(status.name == "Alice")
            #expect(status.user == profile.user)
            #expect(status.device == profile.device)
            #expect(status.storage == "writable")
            #expect(try await alice.client.health().status == .ok)
        }
    }

    @Test func `tells whom the node has met`() async throws {
        try await Alice.tells { alice in
            let people = try await alice.client.people()
            #expect(people.filter(\.isMe).map(\.name) == ["Alice"])
            #expect(Set(people.map(\.name)).isSuperset(of: ["Bob", "Carol"]))
            _ = try await alice.client.peers()
        }
    }

    @Test func `changes the user's name`() async throws {
        try await Alice.tells { alice in
            let changed = try await alice.client.setProfile(name: "Alicia")
            #expect(changed.name == "Alicia")
            #expect(try await alice.client.profile().name == "Alicia")
        }
    }

    @Test func `ends the user's identity, once and for good`() async throws {
        try await Alice.tells { alice in
            let group = try await alice.client.createGroup(name: "Ship", members: ["Bob", "Carol"])
            #expect(try await !alice.client.profile().deleted)
            let ended = try await alice.client.deleteProfile()
            #expect(ended.deleted && ended.name == "Deleted User" && ended.photo == nil)
            #expect(try await alice.client.deleteProfile() == ended)
            #expect(try await alice.client.person("me").deleted)
            let left = try await alice.client.conversation(group.id)
            #expect(!left.me.isMember)
            #expect(try await alice.client.status().storage.hasPrefix("You have deleted your identity"))
            #expect(await refusal { try await alice.client.setProfile(name: "Alicia") } == "identity_deleted")
            #expect(await refusal { try await alice.client.leave(group.id) } == "identity_deleted")
            #expect(await refusal { try await alice.client.send("Ahoy", to: group.id) } == "identity_deleted")
        }
    }

    @Test func `does not lock where no passphrase guards the keys`() async throws {
        try await Alice.tells(knowing: []) { alice in
            let answer = try await alice.client.exchange(LocalRequest(.post, "lock"))
            #expect(answer.status == 422)
            await #expect(throws: LocalClientError.self) { try await alice.client.lock() }
            #expect(try await alice.client.health().status == .ok)
        }
    }

    @Test func `compares replicas`() async throws {
        try await Alice.tells { alice in
            let group = try await alice.client.createGroup(name: "Ship", members: ["Bob", "Carol"])
            let verification = try await alice.client.verify()
            #expect(verification.conversations.map(\.conversation) == [group.id])
        }
    }
}
