import LocalAPIModel
import Node
import Testing

@testable import LocalAPIClient

@Suite("The local API about links")
struct LinkRouteTests {
    @Test func `lists links with who sent them, the newest first, page by page`() async throws {
        try await Alice.tells { alice in
            let group = try await alice.client.createGroup(name: "Ship", members: ["Bob", "Carol"])
            for number in 1...5 {
                _ = try await alice.client.send("no link to http here", to: group.id)
                _ = try await alice.client.send(
                    "(https://a.example/\(number)), http://b.example/\(number).", to: group.id)
            }
            let first = try await alice.client.links(in: group.id, limit: 2)
            let addresses = [5, 4].flatMap { ["https://a.example/\($0)", "http://b.example/\($0)"] }
            #expect(first.links.map(\.url) == addresses)
            #expect(first.links.allSatisfy { $0.senderName == "Alice" })
            let second = try await alice.client.links(in: group.id, before: first.earlier, limit: 3)
            #expect(second.links.map(\.url).last == "http://b.example/1" && second.links.count == 6)
            #expect(second.earlier == nil)
        }
    }

    @Test func `lists what messages say now`() async throws {
        try await Alice.tells { alice in
            let group = try await alice.client.createGroup(name: "Ship", members: ["Bob", "Carol"])
            let edited = try await alice.client.send("https://a.example/old", to: group.id)
            let deleted = try await alice.client.send("https://b.example", to: group.id)
            _ = try await alice.client.edit(edited.id, to: "https://a.example/new")
            _ = try await alice.client.delete(deleted.id)
            let page = try await alice.client.links(in: group.id, limit: 10)
            #expect(page.links.map(\.url) == ["https://a.example/new"])
            #expect(page.links.map(\.message) == [edited.id])
        }
    }

    @Test func `finds the links among many messages without them`() async throws {
        try await Alice.tells { alice in
            let group = try await alice.client.createGroup(name: "Ship", members: ["Bob", "Carol"])
            _ = try await alice.client.send("https://a.example", to: group.id)
            _ = try await alice.client.send((1...1_500).map { "what is http, \($0)?" }, to: group.id)
            let page = try await alice.client.links(in: group.id, limit: 10)
            #expect(page.links.map(\.url) == ["https://a.example"] && page.earlier == nil)
        }
    }

    @Test func `refuses what is no page`() async throws {
        try await Alice.tells { alice in
            let group = try await alice.client.createGroup(name: "Ship", members: ["Bob", "Carol"])
            for limit in [0, 101] {
                await #expect(throws: LocalClientError.self) {
                    try await alice.client.links(in: group.id, limit: limit)
                }
            }
            await #expect(throws: LocalClientError.self) {
                try await alice.client.links(in: group.id, before: String(repeating: "0", count: 64), limit: 1)
            }
        }
    }
}
