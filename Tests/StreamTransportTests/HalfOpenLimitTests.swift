import StreamTransport
import Testing

@Suite("Half-open connections")
struct HalfOpenLimitTests {
    @Test
    func `no more than 32 in all`() {
        var limit = HalfOpenLimit()
        for host in 0..<32 as Range<UInt32> { #expect(limit.admit(.v4(host)) == nil) }
        #expect(limit.admit(.v4(99)) == .full)
        limit.release(.v4(5))
        #expect(limit.admit(.v4(99)) == nil)
        #expect(limit.count == 32)
    }

    @Test
    func `no more than 8 from one address, which keeps nobody else out`() {
        var limit = HalfOpenLimit()
        for _ in 0..<8 { #expect(limit.admit(.loopbackV4) == nil) }
        #expect(limit.admit(.loopbackV4) == .addressFull)
        #expect(limit.admit(.loopbackV6) == nil)
        limit.release(.loopbackV4)
        #expect(limit.admit(.loopbackV4) == nil)
    }
}
