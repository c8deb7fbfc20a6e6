import StreamTransport
import Testing

@Suite("Backing off")
struct BackoffTests {
    @Test(arguments: 1...50 as ClosedRange<UInt64>)
    func `waits double up to half a minute, each in the upper half of its span`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var backoff = Backoff()
        var ceiling = Duration.milliseconds(250)
        for _ in 0..<20 {
            #expect(backoff.ceiling == ceiling)
            let wait = backoff.next(using: &random)
            #expect(wait >= ceiling / 2 && wait <= ceiling)
            ceiling = min(ceiling * 2, .seconds(30))
        }
        #expect(backoff.ceiling == .seconds(30))
    }

    @Test
    func `news starts it again`() {
        var random = SplitMix64(seed: 1)
        var backoff = Backoff()
        for _ in 0..<5 { _ = backoff.next(using: &random) }
        backoff.reset()
        #expect(backoff == Backoff())
    }

    @Test
    func `two nodes that fail together do not come back together`() {
        var alice = SplitMix64(seed: 1)
        var bob = SplitMix64(seed: 2)
        var backoff = Backoff()
        #expect(backoff.next(using: &alice) != backoff.next(using: &bob))
    }
}
