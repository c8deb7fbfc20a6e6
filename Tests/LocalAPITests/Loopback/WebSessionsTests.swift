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

    @Test func `are bounded: a further one takes the place of the one that was used least lately`() {
        var random = SplitMix64(state: 1)
        var sessions = WebSessions(remembered: [], at: moment(0))
        let cookies = (0..<WebSessions.maximumCount).map { number in
            sessions.begin(remembered: false, at: moment(Int64(number)), using: &random)
        }
        let oldest = sessions.session(showing: proof(cookies[0]), at: moment(100))
        #expect(oldest != nil)
        let further = sessions.begin(remembered: false, at: moment(101), using: &random)
        #expect(sessions.goesOn([cookies[0]]) && sessions.goesOn([further]))
        #expect(!sessions.goesOn([cookies[1]]))
        let count = sessions.descriptions(current: nil, at: moment(102)).count
        #expect(count == WebSessions.maximumCount)
    }

    @Test func `end a year after they began, where they are remembered`() {
        var random = SplitMix64(state: 2)
        var sessions = WebSessions(remembered: [], at: moment(0))
        let cookie = sessions.begin(remembered: true, at: moment(0), using: &random)
        let kept = sessions.remembered
        #expect(kept.count == 1)
        let year: Int64 = 365 * 24 * 60 * 60
        var restarted = WebSessions(remembered: kept, at: moment(year - 1))
        let found = [year - 1, year].map { restarted.session(showing: proof(cookie), at: moment($0)) }
        #expect(found[0] != nil && found[1] == nil)
        #expect(WebSessions(remembered: kept, at: moment(year)).remembered.isEmpty)
    }

    @Test func `have tickets for ten minutes, and a bounded number of them`() throws {
        var random = SplitMix64(state: 3)
        var sessions = WebSessions(remembered: [], at: moment(0))
        let cookie = sessions.begin(remembered: false, at: moment(0), using: &random)
        let begun = sessions.session(showing: proof(cookie), at: moment(0))
        let session = try #require(begun)
        let keys = (0..<2).map { _ in sessions.claimKey(of: session, using: &random) }
        let key = try #require(keys[0])
        #expect(keys[1] == nil)
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
