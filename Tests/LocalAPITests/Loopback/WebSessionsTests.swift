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
        _ sessions: inout WebSessions, remembered: Bool = false, at seconds: Int64, using random: inout SplitMix64
    ) throws -> (cookie: String, key: String) {
        let begun = sessions.begin(remembered: remembered, at: moment(seconds), using: &random)
        let key = sessions.claimKey(
            of: ["stale", begun.cookie], showing: begun.claim, at: moment(seconds), using: &random)
        return (begun.cookie, try #require(key).key)
    }

    @Test func `begin with a claim that works once, within ten minutes`() {
        var random = SplitMix64(state: 4)
        var sessions = WebSessions(remembered: [], at: moment(0))
        let (one, two) = (
            sessions.begin(remembered: true, at: moment(0), using: &random),
            sessions.begin(remembered: true, at: moment(0), using: &random)
        )
        func key(_ cookie: String, _ claim: String, at seconds: Int64) -> String? {
            sessions.claimKey(of: [cookie], showing: claim, at: moment(seconds), using: &random)?.key
        }
        func isLetIn(_ cookie: String, _ key: String?) -> Bool {
            sessions.session(showing: proof(cookie, key: key), at: moment(1)) != nil
        }
        #expect(!isLetIn(one.cookie, nil) && !isLetIn(one.cookie, "") && !isLetIn(one.cookie, one.claim))
        func awaits(_ cookie: String, at seconds: Int64) -> Bool {
            sessions.awaitsClaim([cookie], at: moment(seconds))
        }
        #expect(awaits(one.cookie, at: 1) && sessions.remembered.isEmpty)
        #expect(key(one.cookie, two.claim, at: 1) == nil && key(one.cookie, one.cookie, at: 1) == nil)
        let told = key(one.cookie, one.claim, at: 1)
        #expect(told != nil && isLetIn(one.cookie, told) && !isLetIn(one.cookie, nil))
        #expect(key(one.cookie, one.claim, at: 2) == nil && !awaits(one.cookie, at: 2))
        #expect(sessions.remembered.count == 1)
        let listed = sessions.descriptions(current: nil, at: moment(3))
        #expect(listed.count == 1)
        #expect(awaits(two.cookie, at: 599))
        #expect(key(two.cookie, two.claim, at: 600) == nil)
        #expect(!awaits(two.cookie, at: 600))
    }

    @Test func `are bounded: a further one takes the place of the one that was used least lately`() throws {
        var random = SplitMix64(state: 1)
        var sessions = WebSessions(remembered: [], at: moment(0))
        let entered = try (0..<WebSessions.maximumCount).map { number in
            try enter(&sessions, at: Int64(number), using: &random)
        }
        let cookies = entered.map(\.cookie)
        let oldest = sessions.session(showing: proof(cookies[0], key: entered[0].key), at: moment(100))
        #expect(oldest != nil)
        let further = sessions.begin(remembered: false, at: moment(101), using: &random).cookie
        #expect(sessions.goesOn([cookies[0]]) && sessions.goesOn([further]))
        #expect(!sessions.goesOn([cookies[1]]))
        let count = sessions.descriptions(current: nil, at: moment(102)).count
        #expect(count == WebSessions.maximumCount - 1, "whose page has its key")
    }

    @Test func `end a year after they began, where they are remembered`() throws {
        var random = SplitMix64(state: 2)
        var sessions = WebSessions(remembered: [], at: moment(0))
        let (cookie, key) = try enter(&sessions, remembered: true, at: 0, using: &random)
        let kept = sessions.remembered
        #expect(kept.count == 1)
        let year: Int64 = 365 * 24 * 60 * 60
        var restarted = WebSessions(remembered: kept, at: moment(year - 1))
        let found = [year - 1, year].map { restarted.session(showing: proof(cookie, key: key), at: moment($0)) }
        #expect(found[0] != nil && found[1] == nil)
        #expect(WebSessions(remembered: kept, at: moment(year)).remembered.isEmpty)
    }

    @Test func `take the place of the one that the page had before, and stay remembered where that was`() throws {
        var random = SplitMix64(state: 5)
        var sessions = WebSessions(remembered: [], at: moment(0))
        let old = try enter(&sessions, remembered: true, at: 0, using: &random)
        let other = try enter(&sessions, at: 0, using: &random)
        func succeed(_ before: String, at seconds: Int64) throws -> (cookie: String, claimed: WebSessions.ClaimedKey) {
            let begun = sessions.begin(remembered: false, at: moment(seconds), using: &random)
            let claimed = sessions.claimKey(
                of: ["stale", begun.cookie], showing: begun.claim, before: before, at: moment(seconds), using: &random)
            return (begun.cookie, try #require(claimed))
        }
        let next = try succeed(old.key, at: 10)
        #expect(next.claimed.cookieToKeep == next.cookie)
        #expect(!sessions.goesOn([old.cookie]) && sessions.goesOn([other.cookie]))
        #expect(sessions.remembered.map(\.createdAt) == [10_000])
        // Nothing else is a key, and what was not remembered is not now.
        for before in [old.key, "", old.cookie, next.cookie] {
            let unrelated = try succeed(before, at: 11)
            #expect(unrelated.claimed.cookieToKeep == nil)
        }
        let unremembered = try succeed(other.key, at: 12)
        #expect(unremembered.claimed.cookieToKeep == nil && !sessions.goesOn([other.cookie]))
        #expect(sessions.goesOn([next.cookie]) && sessions.remembered.count == 1)
        // A session that is remembered anyway needs no new cookie.
        let begun = sessions.begin(remembered: true, at: moment(13), using: &random)
        let claimed = sessions.claimKey(
            of: [begun.cookie], showing: begun.claim, before: next.claimed.key, at: moment(13), using: &random)
        #expect(claimed != nil && claimed?.cookieToKeep == nil)
        #expect(!sessions.goesOn([next.cookie]) && sessions.remembered.map(\.createdAt) == [13_000])
    }

    @Test func `have tickets for ten minutes, and a bounded number of them`() throws {
        var random = SplitMix64(state: 3)
        var sessions = WebSessions(remembered: [], at: moment(0))
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
