import LocalAPIModel
import LocalAPIServer
import Testing
import Waiting

@testable import LocalAPIClient

@Suite("Lists of the local API in pages")
struct ListPageTests {
    /// Tells a story of Alice's browser, who has three groups with Bob and Carol.
    private func tells(_ story: (Alice, BrowserSession) async throws -> Void) async throws {
        try await Alice.tells(web: LocalServer.Web(port: 0)) { alice in
            for name in ["Ship", "Boat", "Raft"] {
                _ = try await alice.client.createGroup(name: name, members: ["Bob", "Carol"])
            }
            try await story(alice, BrowserSession(of: alice))
        }
    }

    /// Where the next page is.
    private func next(_ answer: Browser.Answer) throws -> String? {
        guard let link = answer.fields["link"] else { return nil }
        #expect(link.hasSuffix(">; rel=\"next\""))
        return String(try #require(link.firstMatch(of: /^<([^>]+)>/)).output.1)
    }

    /// The pages of a list, from one on.
    private func pages<Entry: Decodable>(
        _ type: Entry.Type, from target: String, _ session: BrowserSession
    ) async throws -> [[Entry]] {
        var pages: [[Entry]] = []
        var place: String? = target
        while let target = place, pages.count < 10 {
            let answer = try await session.ask(target)
            #expect(answer.status == 200)
            pages.append(try WireFormat.decode([Entry].self, from: Array(answer.body.utf8)))
            place = try next(answer)
        }
        return pages
    }

    @Test func `conversations come in pages that together are the list`() async throws {
        try await tells { alice, session in
            let all = try await alice.client.conversations().map(\.id)
            for limit in 1...4 {
                let target = "/api/v1/conversations?limit=\(limit)&archived=false"
                let pages = try await pages(ConversationDescription.self, from: target, session)
                #expect(pages.flatMap(\.self).map(\.id) == all)
                #expect(pages.count == (all.count + limit - 1) / limit)
            }
            let gone = try await session.ask("/api/v1/conversations?after=0123")
            #expect(gone.status == 404 && gone.code == "conversation_not_found")
            #expect(try await session.ask("/api/v1/conversations?limit=0").status == 400)
        }
    }

    @Test func `people come in pages that together are the list`() async throws {
        try await tells { alice, session in
            let all = try await alice.client.people().map(\.user)
            #expect(all.count == 3)
            for limit in 1...4 {
                let pages = try await pages(PersonDescription.self, from: "/api/v1/people?limit=\(limit)", session)
                #expect(pages.flatMap(\.self).map(\.user) == all)
                #expect(pages.count == (all.count + limit - 1) / limit)
            }
            let gone = try await session.ask("/api/v1/people?after=0123")
            #expect(gone.status == 404 && gone.code == "unknown_person")
        }
    }

    @Test(arguments: [("false", 0), ("0", 0), ("2", 2), ("true", 3), ("9", 3)])
    func `members are left out of the list, and still counted`(wish: String, count: Int) async throws {
        try await tells { _, session in
            let answer = try await session.ask("/api/v1/conversations?members=\(wish)")
            let list = try WireFormat.decode([ConversationDescription].self, from: Array(answer.body.utf8))
            #expect(list.count == 3)
            #expect(list.allSatisfy { $0.members.count == count && $0.memberCount == 3 })
            #expect(try await session.ask("/api/v1/conversations?members=some").status == 400)
            // What was left out once is not left out of later answers.
            let whole = try await session.ask("/api/v1/conversations")
            let all = try WireFormat.decode([ConversationDescription].self, from: Array(whole.body.utf8))
            #expect(all.allSatisfy { $0.members.count == 3 })
        }
    }

    /// Asks for a list, then for the same if it changed, and returns the tag of the first answer, and the second.
    private func twice(_ target: String, _ session: BrowserSession) async throws -> (String, Browser.Answer) {
        let tag = try #require(try await session.ask(target).fields["etag"])
        return (tag, try await session.ask(target, [("If-None-Match", tag)]))
    }

    @Test(arguments: ["/api/v1/conversations?members=false", "/api/v1/people?query=bob"])
    func `a list that is as it was is not sent again`(target: String) async throws {
        try await tells { alice, session in
            // It changes until the others have the groups.
            var (tag, again) = try await twice(target, session)
            await eventually("it stays as it is") {
                if again.status != 304 { (tag, again) = try await twice(target, session) }
                return again.status == 304
            }
            #expect(again.fields["cache-control"] == "private, no-cache")
            #expect(again.status == 304 && again.body.isEmpty && again.fields["etag"] == tag)
            _ = try await alice.client.setVerified(true, of: "Bob")
            _ = try await alice.client.change("Ship", privately: PreferencesRequest(pinned: true))
            let changed = try await session.ask(target, [("If-None-Match", tag)])
            #expect(changed.status == 200 && changed.fields["etag"] != tag)
        }
    }
}
