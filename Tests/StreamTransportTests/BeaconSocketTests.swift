import Dispatch
import Glibc
import StreamTransport
import Testing

extension SocketTests {
    @Suite("Beacons")
    struct BeaconSocketTests {
        @Test
        func `everyone on the host hears an announcement, and the answer comes back to the speaker only`() async throws
        {
            let alice = try Station(port: 47911)
            let bob = try Station(port: 47911)
            let carol = try Station(port: 47911)
            alice.socket.announce([1, 2, 3])
            let (atBob, speaker) = try #require(await bob.hear())
            #expect(atBob == [1, 2, 3])
            #expect(speaker.host.isLoopback)
            #expect(try #require(await carol.hear()).bytes == [1, 2, 3])
            bob.socket.answer([4], to: speaker)
            #expect(await alice.hear(until: [4]))
            // Carol hears the announcement, perhaps several times, but not the answer.
            carol.socket.announce([5])
            #expect(await carol.hear(until: [5], instead: [4]))
        }

        @Test
        func `an announcement goes out by multicast and by broadcast`() async throws {
            let alice = try Station(port: 47912)
            let bob = try Station(port: 47912)
            alice.socket.announce([9])
            // On a loopback interface: once to the IPv4 group, once to 127.255.255.255.
            #expect(try #require(await bob.hear()).bytes == [9])
            #expect(try #require(await bob.hear()).bytes == [9])
        }

        @Test
        func `a datagram that is too long is not heard`() async throws {
            let alice = try Station(port: 47914)
            let mallory = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
            defer { close(mallory) }
            for size in [129, 1000, 60_000, 128, 0] {
                send([UInt8](repeating: UInt8(size & 127), count: size), from: mallory, to: 47914)
            }
            #expect(try #require(await alice.hear()).bytes.count == 128)
            #expect(try #require(await alice.hear()).bytes.isEmpty)
        }

        @Test
        func `after a flood of garbage beacons are still heard`() async throws {
            let alice = try Station(port: 47915)
            var random = SplitMix64(seed: 1)
            let mallory = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
            defer { close(mallory) }
            for _ in 0..<2000 { send(random.bytes(Int.random(in: 0...300, using: &random)), from: mallory, to: 47915) }
            // While it lasts, the system drops what does not fit.
            try await Task.sleep(for: .milliseconds(50))
            alice.socket.announce([1, 2, 3])
            #expect(await alice.hear(until: [1, 2, 3]))
        }

        @Test
        func `a program that does not share the port is reported, and outlasted`() async throws {
            let hog = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
            let hogV6 = socket(AF_INET6, Int32(SOCK_DGRAM.rawValue), 0)
            var any = sockaddr_in6()
            any.sin6_family = sa_family_t(AF_INET6)
            any.sin6_port = UInt16(47916).bigEndian
            withUnsafeBytes(of: &any) { bytes in
                bytes.withMemoryRebound(to: sockaddr.self) { _ = bind(hogV6, $0.baseAddress, socklen_t(bytes.count)) }
            }
            let alice = try Station(port: 47916)
            guard case .deaf(.portInUse(let place))? = await alice.events.next() else {
                Issue.record("it is not said that nothing is heard")
                return
            }
            #expect(place.port == 47916)
            // What it sends goes out.
            alice.socket.announce([1])
            var received = [UInt8](repeating: 0, count: 8)
            var count = -1
            for _ in 0..<400 where count < 0 {
                count = recv(hogV6, &received, received.count, Int32(MSG_DONTWAIT))
                if count < 0 { try await Task.sleep(for: .milliseconds(5)) }
            }
            #expect(count == 1)
            close(hog)
            close(hogV6)
            let bob = try Station(port: 47916)
            // With its next announcement it hears again.
            alice.socket.announce([2])
            #expect(await bob.hear(until: [2]))
            bob.socket.announce([3])
            #expect(await alice.hear(until: [3]))
        }

        @Test
        func `a stopped socket hears nothing and leaves no descriptor behind`() async throws {
            let before = openDescriptorCount()
            let alice = try Station(port: 47917)
            let bob = try Station(port: 47917)
            bob.socket.stop()
            alice.socket.announce([1])
            #expect(await alice.hear(until: [1]))
            alice.socket.stop()
            #expect(await bob.events.next(within: .milliseconds(20)) == nil)
            for _ in 0..<200 where openDescriptorCount() > before { try await Task.sleep(for: .milliseconds(5)) }
            #expect(openDescriptorCount() <= before)
        }

        @Test
        func `loopback counts as an interface only when asked for`() throws {
            #expect(NetworkInterface.usable().allSatisfy { !$0.isLoopback })
            let loopback = NetworkInterface.usable(named: ["lo"], includingLoopback: true)
            #expect(loopback.count == 1)
            #expect(loopback.first?.isLoopback == true)
            #expect(loopback.first?.addresses.contains(.loopbackV4) == true)
            #expect(NetworkInterface.usable(named: ["nowhere0"], includingLoopback: true).isEmpty)
        }
    }
}

/// A beacon socket on the loopback interface whose events a test takes one by one.
private final class Station: Sendable {
    let socket: BeaconSocket
    let events: AwaitedQueue<BeaconSocket.Event>

    init(port: UInt16) throws {
        let events = AwaitedQueue<BeaconSocket.Event>()
        self.events = events
        var configuration = BeaconSocket.Configuration()
        configuration.port = port
        configuration.interfaces = ["lo"]
        configuration.includesLoopback = true
        socket = try BeaconSocket(configuration, queue: DispatchQueue(label: "station")) { events.post($0) }
    }

    /// The next datagram and who sent it.
    func hear() async -> (bytes: [UInt8], from: SocketAddress)? {
        while let event = await events.next() {
            if case .heard(let bytes, let sender) = event { return (bytes, sender) }
        }
        return nil
    }

    /// Whether a datagram comes, and before it none that must not.
    func hear(until wanted: [UInt8], instead unwanted: [UInt8]? = nil) async -> Bool {
        while let (bytes, _) = await hear() {
            if bytes == unwanted { return false }
            if bytes == wanted { return true }
        }
        return false
    }
}

/// Sends a datagram to a port of this host.
private func send(_ bytes: [UInt8], from descriptor: Int32, to port: UInt16) {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    withUnsafeBytes(of: &address) { view in
        view.withMemoryRebound(to: sockaddr.self) {
            _ = sendto(descriptor, bytes, bytes.count, 0, $0.baseAddress, socklen_t(view.count))
        }
    }
}
