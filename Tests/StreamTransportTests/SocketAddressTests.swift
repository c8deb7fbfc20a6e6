import Dispatch
import StreamTransport
import Testing

@Suite("Addresses")
struct SocketAddressTests {
    @Test(arguments: [
        "127.0.0.1:47470", "0.0.0.0:0", "255.255.255.255:65535", "[::1]:80", "[::]:0", "[fd00::1:2]:47470",
        "[fe80::1%1]:47470",
    ])
    func `an address reads as it is written`(text: String) throws {
        #expect(try #require(SocketAddress(text)).description == text)
    }

    @Test(arguments: [
        "", ":", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "127.0.0.1:+1", "127.0.0.1:1 ",
        "127.0.0:1",
        "127.0.0.01:1", "1.2.3.4.5:1", "::1:80", "[::1]", "[::1]80", "[127.0.0.1]:80", "[::1:80", "[]:80",
        "[fe80::1%]:80",
        "[fe80::1%nowhere0]:80", "[::1%1%2]:80", "127.0.0.1\0:80", "[::1\0x]:80", "münchen:80", "a b:80",
        "99999999999999999999:1", "host:99999999999999999999", String(repeating: "a", count: 100_000) + ":1",
    ])
    func `anything else is no address`(text: String) {
        #expect(SocketAddress(text) == nil)
    }

    @Test
    func `a name is no address, but a place to dial`() throws {
        let place = try HostAndPort("alices-laptop.local:47470")
        #expect(place.host == "alices-laptop.local")
        #expect(place.port == 47470)
        #expect(place.numeric == nil)
        #expect(try HostAndPort(":47470").host == "")
        #expect(throws: TransportError.malformedAddress("alice@laptop:1")) { try HostAndPort("alice@laptop:1") }
    }

    @Test
    func `IPv4 wrapped in IPv6 is IPv4`() throws {
        #expect(try #require(SocketAddress("[::ffff:10.0.0.7]:80")).description == "10.0.0.7:80")
    }

    @Test
    func `a scope matters to link-local addresses only`() throws {
        #expect(IPAddress("fe80::1%1") != IPAddress("fe80::1%2"))
        #expect(IPAddress("fd00::1%1") == IPAddress("fd00::1"))
    }

    @Test
    func `addresses know what they are`() throws {
        #expect(try #require(IPAddress("127.9.9.9")).isLoopback)
        #expect(IPAddress.loopbackV6.isLoopback)
        #expect(try #require(IPAddress("10.0.0.1")).isLoopback == false)
        #expect(try #require(IPAddress("fe80::1%1")).isLinkLocal)
        #expect(try #require(IPAddress("169.254.1.1")).isLinkLocal)
        #expect(IPAddress.anyV4.isUnspecified && IPAddress.anyV6.isUnspecified)
    }

    @Test
    func `a name is looked up without waiting for it`() async throws {
        func resolve(_ text: String) async throws -> [SocketAddress] {
            let place = try HostAndPort(text)
            let found = await withCheckedContinuation { continuation in
                NameResolver.resolve(place, on: .global()) { continuation.resume(returning: $0) }
            }
            return try found.get()
        }
        #expect(try await resolve("10.0.0.7:80") == [SocketAddress("10.0.0.7:80")])
        #expect(try await resolve("localhost:80").allSatisfy { $0.host.isLoopback && $0.port == 80 })
        await #expect(throws: TransportError.nameNotFound("nowhere.invalid")) {
            try await resolve("nowhere.invalid:80")
        }
    }
}
