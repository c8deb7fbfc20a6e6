import LocalAPIModel
import Node
import Testing

@testable import LocalAPIClient

@Suite("The local API about statistics")
struct StatisticsRouteTests {
    @Test func `counts messages, their authors and files, and not what was deleted`() async throws {
        try await Alice.tells { alice in
            let group = try await alice.client.createGroup(name: "Ship", members: ["Bob", "Carol"])
            let empty = try await alice.client.statistics(of: "Ship", days: 1)
            #expect(empty.messages == 0 && empty.authors.isEmpty && empty.hours == Array(repeating: 0, count: 24))
            #expect(empty.days.map(\.members) == [3])

            _ = try await alice.client.send((1...9).map { "message \($0)" }, to: group.id)
            let taken = try await alice.client.send("taken back", to: group.id)
            let file = try await alice.client.upload(Array("Ahoy".utf8), named: "a.txt", mediaType: "text/plain")
            let carrier = try await alice.node.send(nil, files: [file.id], to: group.id)
            let full = try await alice.client.statistics(of: "Ship", days: 3, timeZone: "Asia/Kathmandu")
            #expect(full.conversation == group.id && full.title == "Ship" && full.timeZone == "Asia/Kathmandu")
            #expect(full.days.count == 3)
            #expect(full.messages == 11 && full.days.map(\.messages).reduce(0, +) == 11)
            #expect(full.hours.count == 24 && full.hours.reduce(0, +) == 11)
            #expect(full.authors.map(\.name) == ["Alice"] && full.authors.map(\.messages) == [11])
            #expect(full.files == .init(count: 1, bytes: 4))
            #expect(full.days.map(\.members) == [0, 0, 3])

            _ = try await alice.client.delete(taken.id)
            _ = try await alice.client.delete(carrier.id)
            let less = try await alice.client.statistics(of: "Ship", days: 3)
            #expect(less.messages == 9 && less.authors.map(\.messages) == [9])
            #expect(less.files == .init(count: 0, bytes: 0))
        }
    }

    @Test func `has no members to gain in a direct conversation`() async throws {
        try await Alice.tells { alice in
            let direct = try await alice.client.openDirect(with: "Bob")
            _ = try await alice.client.send("Hello", to: direct.id)
            let statistics = try await alice.client.statistics(of: direct.id, days: 2)
            #expect(statistics.days.map(\.members) == [2, 2])
            #expect(statistics.messages == 1)
        }
    }

    @Test(arguments: [
        "days=0", "days=367", "days=x", "time_zone=Europe/Atlantis", "time_zone=../../etc/passwd", "hours=1",
    ])
    func `refuses what is no stretch of time and no time zone`(query: String) async throws {
        try await Alice.tells { alice in
            let group = try await alice.client.createGroup(name: "Ship", members: ["Bob", "Carol"])
            var request = LocalRequest(.get, "conversations", group.id, "statistics")
            request.target += "?\(query)"
            let answer = try await alice.client.exchange(request)
            #expect(answer.status == 400)
        }
    }

    @Test func `a group whose statistics are for admins shows them to its founder`() async throws {
        try await Alice.tells { alice in
            let group = try await alice.client.createGroup(name: "Ship", members: ["Bob", "Carol"])
            _ = try await alice.client.change(group.id, settings: ["statistics": "admins"])
            #expect(try await alice.client.statistics(of: group.id, days: 1).messages == 0)
        }
    }
}
