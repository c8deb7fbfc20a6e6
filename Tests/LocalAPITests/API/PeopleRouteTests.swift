import LocalAPIModel
import Node
import Testing
import Waiting

@testable import LocalAPIClient

@Suite("The local API about people", .scaledTimeLimit(minutes: 1))
struct PeopleRouteTests {
    @Test func `gives a code to compare, which names both`() async throws {
        try await Alice.tells(knowing: ["Bob"]) { alice in
            let comparison = try await alice.client.comparison(with: "Bob")
            #expect(comparison.code.split(separator: " ").map(\.count) == [5, 5, 5, 5, 5, 5])
            #expect(comparison.me.name == "Alice")
            #expect(comparison.me.isMe)
            #expect(comparison.person.name == "Bob")
            #expect(!comparison.person.verified)
            #expect(try await alice.client.comparison(with: comparison.person.user) == comparison)
        }
    }

    @Test func `finds people by the beginnings of their names' words, whatever the case`() async throws {
        try await Alice.tells { alice in
            let everybody = ["Alice", "Bob", "Carol"]
            for (query, names) in [
                ("bo", ["Bob"]), ("CÁR", ["Carol"]), ("ob", []), ("bob carol", []), (nil, everybody),
            ] {
                let found = try await alice.client.people(matching: query).map(\.name)
                #expect(found.sorted() == names, "\(query ?? "everybody")")
            }
        }
    }

    @Test func `marks a person as verified wherever they are shown, and takes it back`() async throws {
        try await Alice.tells { alice in
            let group = try await alice.client.createGroup(name: "Ship", members: ["Bob", "Carol"])
            for isVerified in [true, false] {
                let changed = try await alice.client.setVerified(isVerified, of: "Bob")
                #expect(changed.name == "Bob")
                #expect(changed.verified == isVerified)
                let verified = try await alice.client.people().filter(\.verified).map(\.name)
                #expect(verified == (isVerified ? ["Bob"] : []))
                let members = try await alice.client.conversation(group.id).members.filter(\.verified).map(\.name)
                #expect(members == (isVerified ? ["Bob"] : []))
            }
        }
    }

    @Test func `tells those who watch`() async throws {
        try await Alice.tells(knowing: ["Bob"]) { alice in
            struct Seen: Error {}
            _ = try await alice.client.setVerified(true, of: "Bob")
            await #expect(throws: Seen.self) {
                try await alice.client.follow(since: alice.beginning) { event in
                    if event.type == .person, event.person?.name == "Bob", event.person?.verified == true {
                        throw Seen()
                    }
                }
            }
        }
    }

    @Test func `refuses what makes no sense`() async throws {
        try await Alice.tells(knowing: []) { alice in
            let me = try await alice.client.profile().user
            #expect(await refusal { try await alice.client.comparison(with: me) } == "invalid_operation")
            #expect(await refusal { try await alice.client.comparison(with: "Nobody") } == "unknown_person")
            #expect(await refusal { try await alice.client.setVerified(true, of: "me") } == "invalid_operation")
            #expect(await refusal { try await alice.client.setVerified(true, of: "Nobody") } == "unknown_person")
            #expect(await refusal { try await alice.client.addPerson(contact: "hello") } == "contact_invalid")
            let own = try await alice.client.contact()
            #expect(own.addresses == (try await alice.client.status().listening))
            #expect(await refusal { try await alice.client.addPerson(contact: own.code) } == "invalid_operation")
            #expect(await refusal { try await alice.client.addPerson(contact: own.code + "A") } == "contact_invalid")
        }
    }

    @Test func `finds a person by their contact code, again and again, and believes nothing more`() async throws {
        try await Alice.tells(knowing: [], besides: ["Dora"]) { alice in
            let code = try await alice.strangers[0].contact().code
            let dora = try await alice.client.addPerson(contact: code)
            #expect(dora.name == "Dora")
            #expect(dora.presence == .online)
            #expect(!dora.verified)
            #expect(try await alice.client.addPerson(contact: code).user == dora.user)
            #expect(try await alice.client.peers().map(\.name) == ["Dora"])
        }
    }

    @Test func `says when nobody answers`() async throws {
        try await Alice.tells(knowing: [], besides: ["Dora"]) { alice in
            let code = try await alice.strangers[0].contact().code
            await alice.strangers[0].stop()
            #expect(await refusal { try await alice.client.addPerson(contact: code) } == "network_error")
        }
    }

    @Test func `warns of two people with one name, and takes neither for the other`() async throws {
        try await Alice.tells(knowing: ["Bob", "Bob", "Carol"]) { alice in
            struct Warned: Error {}
            let bobs = try await alice.client.people().filter { $0.name == "Bob" }.map(\.user)
            #expect(bobs.count == 2)
            await #expect(throws: Warned.self) {
                try await alice.client.follow(since: alice.beginning) { event in
                    guard event.type == .warning else { return }
                    #expect(Set((event.people ?? []).map(\.user)) == Set(bobs))
                    #expect(bobs.allSatisfy { event.text?.contains($0) == true })
                    throw Warned()
                }
            }
            _ = try await alice.client.setVerified(true, of: bobs[1])
            let namesakes = try await alice.client.status().namesakes
            #expect(namesakes.map { $0.map(\.user) } == [[bobs[1], bobs[0]]], "the verified one first")
            #expect(namesakes.first?.map(\.verified) == [true, false])

            #expect(try await alice.client.person("Bob").user == bobs[1], "the verified one")
            _ = try await alice.client.setVerified(true, of: bobs[0])
            do {
                _ = try await alice.client.openDirect(with: "Bob")
                Issue.record("Bob is two people")
            } catch LocalClientError.refused(let detail) {
                #expect(detail.code == "ambiguous_name")
                let hint = try #require(detail.hint)
                #expect(hint.contains("Bob (\(bobs[0].prefix(16)), verified)"))
                #expect(hint.contains("Bob (\(bobs[1].prefix(16)), verified)"))
            }
            #expect(try await alice.client.openDirect(with: bobs[0]).members.map(\.user).contains(bobs[0]))
        }
    }

    @Test func `speaks to nobody whose name another person has, too`() async throws {
        try await Alice.tells(knowing: ["Bob", "Bob", "Carol"]) { alice in
            let bobs = try await alice.client.people().filter { $0.name == "Bob" }.map(\.user)
            let direct = try await alice.client.openDirect(with: bobs[0]).id
            do {
                _ = try await alice.client.send("Which one?", to: "Bob")
                Issue.record("Bob is two people")
            } catch LocalClientError.refused(let detail) {
                #expect(detail.code == "ambiguous_name")
                let hint = try #require(detail.hint)
                for bob in bobs { #expect(hint.contains("Bob (\(bob.prefix(16))), online"), "\(hint)") }
            }
            #expect(try await alice.client.messages(in: direct).messages.isEmpty)
            let found = try await alice.client.conversation(String(bobs[0].prefix(16)))
            #expect(found.id == direct, "a person's id means the direct conversation with them")
            #expect(await refusal { try await alice.client.conversation(bobs[1]) } == "conversation_not_found")
        }
    }

    @Test func `says how a conversation with somebody known begins`() async throws {
        try await Alice.tells(knowing: ["Bob", "Carol $(true)"]) { alice in
            let carol = try await alice.client.person("Carol $(true)").user
            for (name, meant) in [("Bob", "Bob"), ("Carol $(true)", String(carol.prefix(16)))] {
                do {
                    _ = try await alice.client.conversation(name)
                    Issue.record("there is one with \(name)")
                } catch LocalClientError.refused(let detail) {
                    #expect(detail.code == "conversation_not_found")
                    #expect(detail.hint == "Begin with: moot direct \(meant)")
                }
            }
        }
    }

    @Test func `forgets nobody who is there`() async throws {
        try await Alice.tells(knowing: ["Bob"]) { alice in
            #expect(await refusal { try await alice.client.forgetPerson("Bob") } == "invalid_operation")
            #expect(await refusal { try await alice.client.forgetPerson("me") } == "invalid_operation")
            #expect(await refusal { try await alice.client.forgetPerson("Nobody") } == "unknown_person")
            let known = try await alice.client.people()
            #expect(known.count == 2)
        }
    }

    @Test func `takes names that only look alike for one`() async throws {
        try await Alice.tells(knowing: ["Bob", "bOB", "Bobby"]) { alice in
            let names = try await alice.client.status().namesakes.map { Set($0.map(\.name)) }
            #expect(names == [["Bob", "bOB"]])
        }
    }
}
