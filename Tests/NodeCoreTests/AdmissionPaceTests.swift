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

    @Test(arguments: [true, false])
    mutating func `what costs no more than the ordinary never rests`(isJoined: Bool) {
        for _ in 0..<10_000 { pace.spend(.milliseconds(50), on: 80, of: one, isJoined: isJoined, at: start) }
        #expect(pace.restEnd(of: one, isJoined: isJoined, at: start) == nil)
    }

    @Test mutating func `in the long run decisions take a tenth of the time, and others are taken meanwhile`() {
        var (now, taken) = (start, 0)
        while now < start + .seconds(1_000) {
            if let end = pace.restEnd(of: one, isJoined: true, at: now) {
                #expect(pace.restEnd(of: other, isJoined: true, at: now) == nil)
                now = end
            }
            // Each takes a second.
            now = now + .seconds(1)
            pace.spend(.milliseconds(1_011), on: 1, of: one, isJoined: true, at: now)
            taken += 1
        }
        #expect((98...105).contains(taken), "\(taken)")
    }

    @Test
    mutating func
        `conversations in which the user takes no part together take a tenth, and keep out none that costs little`()
    {
        let costly = (0..<16).map { ConversationID(digest: .hash("costly", [$0])) }
        var (now, taken) = (start, 0)
        while now < start + .seconds(1_000) {
            now = now + .milliseconds(100)
            for conversation in costly where pace.restEnd(of: conversation, isJoined: false, at: now) == nil {
                pace.spend(.milliseconds(211), on: 1, of: conversation, isJoined: false, at: now)
                taken += 1
            }
            pace.spend(.milliseconds(10), on: 1, of: other, isJoined: false, at: now)
            #expect(pace.restEnd(of: other, isJoined: false, at: now) == nil)
        }
        // 0.2 s each.
        #expect((500...600).contains(taken), "\(taken)")
        #expect(pace.restEnd(of: costly[0], isJoined: true, at: now) == nil, "what the user has accepted begins anew")
    }

    /// Peers are asked in turn; who pushes three hundred times a second would else be first each time.
    @Test(arguments: [true, false])
    mutating func `what nobody asked for waits longer than an answer`(isJoined: Bool) throws {
        pace.spend(.seconds(5), on: 1, of: one, isJoined: isJoined, at: start)
        let end = try #require(pace.restEnd(of: one, isJoined: isJoined, at: start))
        #expect(pace.restEnd(of: one, isJoined: isJoined, at: end) == nil)
        #expect(pace.restEnd(of: one, isJoined: isJoined, isPushed: true, at: end) != nil)
        #expect(pace.restEnd(of: one, isJoined: isJoined, isPushed: true, at: end + .seconds(5)) == nil)
    }

    @Test mutating func `no single cost holds a conversation up for more than a minute`() throws {
        pace.spend(.seconds(3_600), on: 1, of: one, isJoined: true, at: start)
        let end = try #require(pace.restEnd(of: one, isJoined: true, at: start))
        #expect(end <= start + .seconds(60))
    }

    @Test(arguments: [true, false])
    func `decisions are taken once it has rested, and in what the user accepted messages meanwhile`(isJoined: Bool)
        throws
    {
        var trio = try Trio()
        let group = try trio.found()
        if isJoined {
            trio.cores[1].context.familiarity.joined.insert(group)
        } else {
            trio.cores[1].context.familiarity.joined.remove(group)
        }
        let now = trio.bob.now
        trio.cores[1].admissionPace.spend(.seconds(5), on: 1, of: group, isJoined: isJoined, at: now)
        let end = try #require(
            trio.bob.admissionPace.restEnd(of: group, isJoined: isJoined, isPushed: true, at: now))
        _ = try trio.cores[0].send(["Hello"], to: group, at: Trio.moment)
        try trio.cores[0].set(name: "Boat", description: nil, of: group, at: Trio.moment)
        trio.deliver(group, to: 1)
        let (ofAlice, ofBob) = (trio.alice.replicas[group]?.log, trio.bob.replicas[group]?.log)
        #expect((ofAlice?.contentFrontier == ofBob?.contentFrontier) == isJoined)
        #expect(ofAlice?.membershipFrontier != ofBob?.membershipFrontier)
        trio.cores[1].moment = Trio.after(end - Trio.moment.monotonic)
        trio.deliver(group, to: 1)
        #expect(trio.bob.replicas[group]?.digest == trio.alice.replicas[group]?.digest)
    }
}
