import Dispatch
import Foundation
import Glibc
import Testing

@testable import StreamTransport

extension SocketTests {
    @Suite("Listening and dialing")
    struct StreamListenerTests {
        @Test
        func `nobody listening is refused`() async throws {
            let nobody = SocketAddress(.loopbackV4, port: 1)
            await #expect(throws: TransportError.refused(nobody)) { try await dial(nobody) }
        }

        @Test
        func `a host that does not answer is timed out`() async throws {
            // A full queue of connections that nobody accepts: the system then answers no more.
            let silent = try SilentHost()
            await #expect(throws: TransportError.timedOut) {
                for _ in 0..<4 { silent.callers.append(try await dial(silent.address, deadline: .milliseconds(100))) }
            }
        }

        @Test
        func `a port can be listened on by one program only`() async throws {
            let door = try Door()
            let error = #expect(throws: TransportError.portInUse(door.address)) { try Door(door.address) }
            #expect(error?.code == "port_in_use")
            #expect(error?.remedy?.contains("\(door.address.port)") == true)
        }

        @Test
        func `an address of another host cannot be listened on`() throws {
            let elsewhere = try #require(SocketAddress("192.0.2.1:0"))
            #expect(throws: TransportError.addressUnavailable(elsewhere)) { try Door(elsewhere) }
        }

        @Test
        func `a port is free again after its connections were closed`() async throws {
            func visit(_ door: Door) async throws {
                let (alice, bob) = try await Line.pair(through: door)
                bob.connection.close()
                _ = await alice.end()
                door.listener.stop()
            }
            let first = try Door()
            try await visit(first)
            // The listening descriptor is closed when Dispatch has let go of it.
            var second: Door?
            for _ in 0..<100 where second == nil {
                second = try? Door(first.address)
                if second == nil { try await Task.sleep(for: .milliseconds(1)) }
            }
            try await visit(#require(second))
        }

        @Test
        func `every address means IPv4 and IPv6`() async throws {
            let door = try Door(SocketAddress(.anyV6, port: 0))
            for host in [IPAddress.loopbackV4, .loopbackV6] {
                let socket = try await dial(SocketAddress(host, port: door.address.port))
                let accepted = try await door.accept()
                #expect(accepted.peer.host == host)
                #expect(accepted.peer == socket.local)
                #expect(accepted.local == socket.peer)
            }
        }

        @Test(arguments: [IPAddress.loopbackV4, .loopbackV6])
        func `a connection from this host is known by the account that made it`(host: IPAddress) async throws {
            let door = try Door(SocketAddress(host, port: 0))
            let visitor = try await dial(door.address)
            let accepted = try await door.accept()
            #expect(
                ConnectionSource(of: accepted.peer, reaching: accepted.local) == .thisHost(account: geteuid()))
            withExtendedLifetime(visitor) {}
        }

        @Test
        func `one source takes eight places, a released place is free again`() async throws {
            let door = try Door()
            var visitors: [Socket] = []
            var slots: [HalfOpenSlot] = []
            var sockets: [Socket] = []
            for _ in 0..<HalfOpenLimit.maximumPerSource {
                visitors.append(try await dial(door.address))
                guard case .accepted(let socket, let slot)? = await door.events.next() else {
                    return #expect(Bool(false), "not accepted")
                }
                slots.append(slot)
                sockets.append(socket)
            }
            let tooMany = Line(try await dial(door.address))
            guard case .turnedAway(let peer, .sourceFull)? = await door.events.next() else {
                return #expect(Bool(false), "not turned away")
            }
            #expect(peer.host == .loopbackV4)
            #expect(await tooMany.end() != nil)
            slots[0].release()
            slots[0].release()
            slots.removeLast()
            for _ in 0..<2 {
                visitors.append(try await dial(door.address))
                guard case .accepted(_, let slot)? = await door.events.next() else {
                    return #expect(Bool(false), "not accepted")
                }
                slots.append(slot)
            }
        }

        @Test
        func `running out of descriptors pauses accepting and loses nobody`() async throws {
            let door = try Door()
            // Other tests of this process may give a descriptor back at just that moment: then one more is let in
            // first.
            for _ in 0..<50 {
                let visitor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
                defer { close(visitor) }
                guard case .paused(.outOfDescriptors)? = try await knock(at: door, as: visitor) else { continue }
                let accepted = try await door.accept()
                return #expect(accepted.peer.host == .loopbackV4)
            }
            Issue.record("not paused")
        }

        /// What comes of a visitor while no new descriptor fits below theirs.
        private func knock(at door: Door, as visitor: Int32) async throws -> StreamListener.Event? {
            var limits = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
            var low = limits
            low.rlim_cur = rlim_t(visitor) + 20
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &low)
            defer { setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) }
            var fillers: [Int32] = []
            defer { for filler in fillers { close(filler) } }
            while true {
                let filler = dup(visitor)
                guard filler >= 0 else { break }
                fillers.append(filler)
            }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = door.address.port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            let connected = withUnsafeBytes(of: &address) { bytes in
                bytes.withMemoryRebound(to: sockaddr.self) { connect(visitor, $0.baseAddress, socklen_t(bytes.count)) }
            }
            try #require(connected == 0)
            return await door.events.next()
        }
    }
}

/// A host that lets callers wait forever.
private final class SilentHost {
    let address: SocketAddress
    var callers: [Socket] = []
    private let descriptor: Int32

    init() throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.descriptor = descriptor
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutableBytes(of: &address) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) { view in
                bind(descriptor, view.baseAddress, length)
                getsockname(descriptor, view.baseAddress, &length)
            }
        }
        listen(descriptor, 0)
        self.address = SocketAddress(.loopbackV4, port: UInt16(bigEndian: address.sin_port))
    }

    deinit {
        close(descriptor)
    }
}
