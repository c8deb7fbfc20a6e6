import Cryptography
import OperationLog
import Replication
import Testing
import Time

@testable import NodeCore

@Suite("How soon decisions are taken again that cost a lot")
struct AdmissionPaceTests {
    private let start = Instant(sinceStart: .seconds(10))
    private let one = ConversationID(digest: .hash("group", [1]))
    private let other = ConversationID(digest: .hash("group", [2]))
    private var pace = AdmissionPace()

    @Test mutating func `what costs no more than the ordinary never rests`() {
        for _ in 0..<10_000 { pace.spend(.milliseconds(90), on: 90, of: one, at: start) }
        #expect(pace.restEnd(of: one, at: start) == nil)
    }

    @Test mutating func `in the long run decisions take a tenth of the time, and others are taken meanwhile`() {
        var (now, taken) = (start, 0)
        while now < start + .seconds(1_000) {
            if let end = pace.restEnd(of: one, at: now) {
                #expect(pace.restEnd(of: other, at: now) == nil)
                now = end
            }
            // Each takes a second.
            now = now + .seconds(1)
            pace.spend(.milliseconds(1_001), on: 1, of: one, at: now)
            taken += 1
        }
        #expect((98...105).contains(taken), "\(taken)")
    }

    @Test mutating func `conversations in which the user takes no part share what they may cost`() {
        for _ in 0..<3 { pace.spend(.seconds(1), on: 1, of: nil, at: start) }
        #expect(pace.restEnd(of: nil, at: start) != nil && pace.restEnd(of: one, at: start) == nil)
    }

    @Test mutating func `no single cost holds a conversation up for more than a minute`() throws {
        pace.spend(.seconds(3_600), on: 1, of: one, at: start)
        let end = try #require(pace.restEnd(of: one, at: start))
        #expect(end <= start + .seconds(60))
    }

    @Test func `decisions of a group are taken once it has rested, and messages of it meanwhile`() throws {
        var trio = try Trio()
        let group = try trio.found()
        for payer in [group, nil] { trio.cores[1].admissionPace.spend(.seconds(5), on: 1, of: payer, at: trio.bob.now) }
        let end = try #require(trio.bob.admissionPace.restEnd(of: group, at: trio.bob.now))
        _ = try trio.cores[0].send(["Hello"], to: group, at: Trio.moment)
        try trio.cores[0].set(name: "Boat", description: nil, of: group, at: Trio.moment)
        trio.deliver(group, to: 1)
        let (ofAlice, ofBob) = (trio.alice.replicas[group]?.log, trio.bob.replicas[group]?.log)
        #expect(ofAlice?.contentFrontier == ofBob?.contentFrontier)
        #expect(ofAlice?.membershipFrontier != ofBob?.membershipFrontier)
        trio.cores[1].moment = Trio.after(end - Trio.moment.monotonic)
        try trio.deliver(group)
    }
}
