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
        let (one, other) = (IPAddress.v4(0x0A00_0001), IPAddress.v4(0x0A00_0002))
        for _ in 0..<8 { #expect(limit.admit(one) == nil) }
        #expect(limit.admit(one) == .addressFull)
        #expect(limit.admit(other) == nil)
        limit.release(one)
        #expect(limit.admit(one) == nil)
    }

    @Test
    func `no more than 8 of whoever is on this host, however many of its addresses they use`() {
        var limit = HalfOpenLimit()
        let own = (0..<40 as Range<UInt32>).map { IPAddress.v4(0x7F00_0001 + $0 << 8) } + [.loopbackV6]
        let refused = own.compactMap { limit.admit($0) }
        #expect(refused.count == own.count - 8)
        #expect(limit.admit(.v4(0x0A00_0001)) == nil)
        for host in own.prefix(8) { limit.release(host) }
        #expect(limit.count == 1 && limit.admit(.loopbackV6) == nil)
    }
}
