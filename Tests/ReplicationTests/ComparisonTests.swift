import Testing
import Time

@testable import Replication

@Suite("Comparing what two nodes hold")
struct ComparisonTests {
    private let start = Instant(sinceStart: .seconds(100))
    private var comparison = Comparison<Int, Int>(
        at: .init(tellDelay: .milliseconds(500), grace: .seconds(3), longestRest: .seconds(20)))

    @Test mutating func `tells what changed once it has settled, and the same once`() {
        let first = comparison.owe(at: start)
        let second = comparison.owe(at: start + .milliseconds(300))
        #expect(first == start + .milliseconds(500) && second == nil, "the first change waits longest")
        #expect(comparison.next == first)
        let isTold = [1, 1, 2, 1].map { comparison.tell($0, at: start + .seconds(1)) }
        #expect(isTold == [true, false, true, true])
        #expect(comparison.tellAt == nil && comparison.told?.digest == 1 && comparison.next == nil)
        let later = comparison.owe(at: start + .seconds(2), notBefore: start + .seconds(9))
        #expect(later == start + .seconds(9))
        comparison.stopTelling()
        #expect(comparison.next == nil && comparison.told?.at == start + .seconds(1))
    }

    @Test mutating func `asks after a while, and less and less often while that is in vain`() {
        comparison.hear(7)
        var rests: [Duration] = []
        var now = start
        for _ in 0..<6 {
            let moment = comparison.askLater(after: .seconds(1), at: now)
            let again = comparison.askLater(after: .zero, at: now)
            #expect(again == nil && comparison.askAt == moment && comparison.next == moment)
            rests.append((moment ?? now) - now)
            now = moment ?? now
            comparison.noteAsked(at: now)
            #expect(comparison.askAt == nil && comparison.askedAt == now)
        }
        #expect(rests == [1, 3, 6, 12, 20, 20].map { .seconds($0) })
        comparison.noteNews()
        #expect(comparison.rest == .zero && comparison.said == 7)
    }

    @Test mutating func `asks no more where both hold the same, or the peer said nothing new`() {
        comparison.hear(7)
        comparison.noteAsked(at: start)
        comparison.ask(at: start + .seconds(1))
        comparison.noteEqual()
        #expect(comparison.next == nil && comparison.failures == 0 && comparison.said == 7)
        comparison.ask(at: start + .seconds(1))
        comparison.forgetSaid()
        #expect(comparison.next == nil && comparison.said == nil)
        comparison.ask(at: start + .seconds(1))
        comparison.stopAsking()
        #expect(comparison.next == nil)
    }

    @Test(arguments: zip([-1, 0, 1, 2, 3, 4, 5, 200, .max], [0, 0, 2, 4, 8, 16, 30, 30, 30]))
    func `waits twice as long after each failure in a row, up to a limit`(failures: Int, seconds: Int) {
        #expect(Backoff(from: .seconds(2), to: .seconds(30)).rest(after: failures) == .seconds(seconds))
    }
}
