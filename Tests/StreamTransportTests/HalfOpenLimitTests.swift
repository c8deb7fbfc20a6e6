import Testing

@testable import StreamTransport

@Suite("Half-open connections")
struct HalfOpenLimitTests {
    private let alice = ConnectionSource.host(.v4(0x0A00_0001))
    private let bob = ConnectionSource.host(.v4(0x0A00_0002))

    private func place(_ admission: HalfOpenLimit.Admission) -> HalfOpenLimit.Place? {
        guard case .admitted(let place, _) = admission else { return nil }
        return place
    }

    /// A host of an IPv6 network, whose prefix is `high`.
    private func v6(_ high: UInt64, _ low: UInt64, scope: UInt32 = 0) -> ConnectionSource {
        .host(.v6(high: high, low: low, scope: scope))
    }

    @Test
    func `accounts that one account can make for itself are one crowd`() {
        var limit = HalfOpenLimit()
        for number in 100_000..<100_032 as Range<UInt32> { _ = limit.admit(.thisHost(account: number)) }
        #expect(limit.count == 32)
        #expect(place(limit.admit(.thisHost(account: 1_001))) != nil)
    }

    @Test
    func `no more than 32 in all`() {
        var limit = HalfOpenLimit()
        for number in 0..<100 as Range<UInt32> { _ = limit.admit(.host(.v4(number))) }
        #expect(limit.count == 32)
    }

    @Test
    func `no more than 8 from one source, which keeps nobody else out`() throws {
        var limit = HalfOpenLimit()
        let places = (0..<8).compactMap { _ in place(limit.admit(alice)) }
        #expect(limit.admit(alice) == .refused(.sourceFull))
        #expect(place(limit.admit(bob)) != nil)
        limit.release(try #require(places.first))
        limit.release(try #require(places.first))
        #expect(place(limit.admit(alice)) != nil)
        #expect(limit.admit(alice) == .refused(.sourceFull))
    }

    @Test
    func `where all places are taken, the oldest of the largest crowd gives its place to a newcomer`() throws {
        var limit = HalfOpenLimit(maximum: 6, maximumPerSource: 8)
        let oldest = limit.admit(alice)
        let crowd = (0..<4).map { _ in limit.admit(bob) }
        #expect(place(oldest) != nil && place(limit.admit(alice)) != nil)
        let carol = limit.admit(.host(.v4(0x0A00_0003)))
        guard case .admitted(_, let displaced?) = carol else { return #expect(Bool(false), "not displaced") }
        #expect(displaced == place(try #require(crowd.first)), "not Alice, who came first")
        #expect(limit.count == 6)
        #expect(limit.admit(bob) == .refused(.full), "nobody gives way to a larger crowd")
        limit.release(displaced)
        #expect(limit.count == 6, "it was not counted any more")
    }

    @Test
    func `a slow peer keeps its place, however many connections three other hosts open and give up`() throws {
        var limit = HalfOpenLimit()
        for number in 0..<32 as Range<UInt32> { _ = limit.admit(.host(.v4(number % 3))) }
        for number in 0..<8 as Range<UInt64> { _ = limit.admit(v6(1, number)) }
        let slow = try #require(place(limit.admit(alice)), "a newcomer always gets in")
        var lost: Set<HalfOpenLimit.Place> = []
        var held: [HalfOpenLimit.Place] = []
        for number in 0..<10_000 as Range<UInt32> {
            let source = number.isMultiple(of: 2) ? .host(.v4(number % 3)) : v6(1, UInt64(number))
            guard case .admitted(let place, let displaced) = limit.admit(source) else {
                if !held.isEmpty { limit.release(held.removeFirst()) }
                continue
            }
            held.append(place)
            if let displaced { lost.insert(displaced) }
        }
        #expect(!lost.isEmpty && !lost.contains(slow))
    }

    /// Who comes when one host has taken every place with ever new addresses of its IPv6 network.
    @Test(arguments: [
        "10.0.0.7", "169.254.3.4", "fd00:0:0:1::7", "fd00::7", "fe80::7%3", "fe80::7%2", "::ffff:10.0.0.7",
    ])
    func `one host that uses ever new addresses of its network keeps nobody out`(newcomer: String) throws {
        var limit = HalfOpenLimit()
        for low in 1_000..<1_100 as Range<UInt64> { _ = limit.admit(v6(0xFD00 << 48, low)) }
        let address = try #require(IPAddress(newcomer))
        guard case .admitted(let place, _?) = limit.admit(.host(address)) else {
            return #expect(Bool(false), "not let in")
        }
        // Elsewhere it stays whatever comes from that network; in the same one until all others there have gone.
        let isNeighbor = ConnectionSource.host(address).network == v6(0xFD00 << 48, 0)
        for low in 2_000..<(isNeighbor ? 2_031 : 3_000) as Range<UInt64> {
            guard case .admitted(_, let displaced?) = limit.admit(v6(0xFD00 << 48, low)) else { continue }
            #expect(displaced != place)
        }
    }

    @Test
    func `an account of this host is one source, however many of its addresses it uses`() {
        func source(_ host: IPAddress) -> ConnectionSource {
            ConnectionSource(of: SocketAddress(host, port: 1), reaching: nil)
        }
        var limit = HalfOpenLimit()
        let interfaces = NetworkInterface.usable(includingLoopback: true)
        let own = interfaces.flatMap(\.addresses) + (1..<40).map { .v4(0x7F00_0001 + $0 << 8) } + [.loopbackV6]
        #expect(own.allSatisfy { source($0) == .thisHost(account: nil) })
        for address in own { _ = limit.admit(source(address)) }
        #expect(limit.count == 8)
        #expect(IPAddress("::ffff:127.0.0.1").map(source) == .thisHost(account: nil))
        for other in [IPAddress.v4(0xC000_0201), .v6(high: 0x2001_0DB8 << 32, low: 7, scope: 0)] {
            #expect(source(other) == .host(other))
        }
    }

    @Test
    func `an account of this host keeps no other one out`() throws {
        var limit = HalfOpenLimit(maximum: 8, maximumPerSource: 8)
        for _ in 0..<100 { _ = limit.admit(.thisHost(account: 1_001)) }
        #expect(limit.count == 8)
        let alice = try #require(place(limit.admit(.thisHost(account: 1_000))), "a newcomer always gets in")
        for _ in 0..<100 {
            guard case .admitted(_, let displaced) = limit.admit(.thisHost(account: 1_001)) else { continue }
            #expect(displaced != alice)
        }
        #expect(place(limit.admit(.thisHost(account: nil))) != nil)
    }
}
