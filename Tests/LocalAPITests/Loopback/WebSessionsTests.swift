import LocalAPIModel
import Testing

@testable import LocalAPIServer

@Suite("The sessions of browsers")
struct WebSessionsTests {
    private let start = ContinuousClock.now

    private func moment(_ seconds: Int64) -> WebSessions.Moment {
        WebSessions.Moment(monotonic: start + .seconds(seconds), wall: 1_000 * seconds)
    }

    private func proof(_ cookie: String, key: String? = nil, ticket: String? = nil) -> WebSessions.Proof {
        WebSessions.Proof(cookies: ["stale", cookie], key: key, ticket: ticket)
    }

    /// A session whose page has its key.
    private func enter(
        _ sessions: inout WebSessions, at seconds: Int64, using random: inout SplitMix64
    ) throws -> (cookie: String, key: String) {
        let begun = sessions.begin(at: moment(seconds), using: &random)
        let key = sessions.claimKey(
            of: ["stale", begun.cookie], showing: begun.claim, at: moment(seconds), using: &random)
        return (begun.cookie, try #require(key))
    }

    @Test func `begin with a claim that works once, within ten minutes`() {
        var random = SplitMix64(state: 4)
        var sessions = WebSessions()
        let (one, two) = (
            sessions.begin(at: moment(0), using: &random),
            sessions.begin(at: moment(0), using: &random)
        )
        func key(_ cookie: String, _ claim: String, at seconds: Int64) -> String? {
            sessions.claimKey(of: [cookie], showing: claim, at: moment(seconds), using: &random)
        }
        func isLetIn(_ cookie: String, _ key: String?) -> Bool {
            sessions.session(showing: proof(cookie, key: key), at: moment(1)) != nil
        }
        #expect(!isLetIn(one.cookie, nil) && !isLetIn(one.cookie, "") && !isLetIn(one.cookie, one.claim))
        func awaits(_ cookie: String, at seconds: Int64) -> Bool {
            sessions.awaitsClaim([cookie], at: moment(seconds))
        }
        #expect(awaits(one.cookie, at: 1))
        #expect(key(one.cookie, two.claim, at: 1) == nil && key(one.cookie, one.cookie, at: 1) == nil)
        let told = key(one.cookie, one.claim, at: 1)
        #expect(told != nil && isLetIn(one.cookie, told) && !isLetIn(one.cookie, nil))
        #expect(key(one.cookie, one.claim, at: 2) == nil && !awaits(one.cookie, at: 2))
        let listed = sessions.descriptions(current: nil, at: moment(3))
        #expect(listed.count == 1)
        #expect(awaits(two.cookie, at: 599))
        #expect(key(two.cookie, two.claim, at: 600) == nil)
        #expect(!awaits(two.cookie, at: 600))
    }

    @Test func `are bounded: a further one takes the place of the one that was used least lately`() throws {
        var random = SplitMix64(state: 1)
        var sessions = WebSessions()
        let entered = try (0..<WebSessions.maximumCount).map { number in
            try enter(&sessions, at: Int64(number), using: &random)
        }
        let cookies = entered.map(\.cookie)
        let oldest = sessions.session(showing: proof(cookies[0], key: entered[0].key), at: moment(100))
        #expect(oldest != nil)
        let further = sessions.begin(at: moment(101), using: &random).cookie
        #expect(sessions.goesOn([cookies[0]]) && sessions.goesOn([further]))
        #expect(!sessions.goesOn([cookies[1]]))
        let count = sessions.descriptions(current: nil, at: moment(102)).count
        #expect(count == WebSessions.maximumCount - 1, "whose page has its key")
    }

    @Test func `take the place of the one that the page had before`() throws {
        var random = SplitMix64(state: 5)
        var sessions = WebSessions()
        let old = try enter(&sessions, at: 0, using: &random)
        let other = try enter(&sessions, at: 0, using: &random)
        func succeed(_ before: String) throws -> String {
            let begun = sessions.begin(at: moment(10), using: &random)
            let key = sessions.claimKey(
                of: ["stale", begun.cookie], showing: begun.claim, before: before, at: moment(10), using: &random)
            _ = try #require(key)
            return begun.cookie
        }
        let next = try succeed(old.key)
        #expect(!sessions.goesOn([old.cookie]) && sessions.goesOn([other.cookie]))
        // Nothing else is a key.
        for before in [old.key, "", old.cookie, next] { _ = try succeed(before) }
        #expect(sessions.goesOn([next]) && sessions.goesOn([other.cookie]))
    }

    @Test func `have tickets for ten minutes, and a bounded number of them`() throws {
        var random = SplitMix64(state: 3)
        var sessions = WebSessions()
        let (cookie, key) = try enter(&sessions, at: 0, using: &random)
        let begun = sessions.session(showing: proof(cookie, key: key), at: moment(0))
        let session = try #require(begun)
        let tickets = (0...WebSessions.maximumTickets).compactMap { _ in
            sessions.makeTicket(of: session, at: moment(0), using: &random)
        }
        func isLetIn(_ proof: WebSessions.Proof, at seconds: Int64) -> Bool {
            sessions.session(showing: proof, at: moment(seconds)) != nil
        }
        #expect(isLetIn(proof(cookie, key: key), at: 1))
        #expect(!isLetIn(proof(cookie), at: 1))
        #expect(!isLetIn(proof(cookie, ticket: tickets[0]), at: 1), "the oldest of too many")
        #expect(isLetIn(proof(cookie, ticket: tickets[1]), at: 599))
        #expect(!isLetIn(proof(cookie, ticket: tickets[1]), at: 600))
        #expect(!isLetIn(proof(cookie, key: tickets[1]), at: 1) && !isLetIn(proof(cookie, ticket: key), at: 1))
        let ended = sessions.end(session.id, at: moment(2))
        let late = sessions.makeTicket(of: session, at: moment(2), using: &random)
        #expect(ended?.id == session.id && late == nil)
    }
}
