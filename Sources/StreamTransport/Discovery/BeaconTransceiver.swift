import Dispatch
import Glibc
import Replication

/// The part of a beacon socket that lives on its queue.
final class BeaconTransceiver {
    /// One family of addresses: what hears and what speaks.
    ///
    /// All nodes of a host share the port they hear on. An answer sent there would reach only one of them, the wrong
    /// one perhaps, so each node speaks from a port of its own, and answers come back to that.
    private struct AddressFamilySockets {
        let group: IPAddress
        /// Nil while a program that does not share it has the port: then only answers are heard.
        var receiver: DatagramSocket?
        let sender: DatagramSocket
        /// Numbers of the interfaces on which the group was joined.
        var joined: Set<UInt32> = []
    }

    private let configuration: BeaconSocket.Configuration
    private let queue: DispatchQueue
    private let handler: @Sendable (BeaconSocket.Event) -> Void
    private var v4: AddressFamilySockets?
    private var v6: AddressFamilySockets?
    private var watch: InterfaceWatch?
    /// Why no beacons of others are heard; nil where some are.
    private(set) var deafness: TransportError?
    private var interfaces: [NetworkInterface] = []

    init(
        _ configuration: BeaconSocket.Configuration, queue: DispatchQueue,
        handler: @escaping @Sendable (BeaconSocket.Event) -> Void
    ) throws(TransportError) {
        self.configuration = configuration
        self.queue = queue
        self.handler = handler
        let v4 = Result { () throws(TransportError) in
            try Self.open(.anyV4, configuration.groupV4, queue: queue, handler: handler)
        }
        let v6 = Result { () throws(TransportError) in
            try Self.open(.anyV6, configuration.groupV6, queue: queue, handler: handler)
        }
        self.v4 = try? v4.get()
        self.v6 = try? v6.get()
        // A host may lack one of the two. The error of IPv4 is the more telling one.
        if self.v4 == nil, self.v6 == nil { _ = try v4.get() }
        listen()
        if let deafness { queue.async { handler(.deaf(deafness)) } }
        interfaces = currentInterfaces()
        join()
        // Where the kernel tells nothing, each announcement still looks at the interfaces anew.
        watch = try? InterfaceWatch(queue: queue) { [weak self] in self?.refresh() }
    }

    private static func open(
        _ host: IPAddress, _ group: IPAddress, queue: DispatchQueue,
        handler: @escaping @Sendable (BeaconSocket.Event) -> Void
    ) throws(TransportError) -> AddressFamilySockets {
        let sender = try socket(SocketAddress(host, port: 0), isShared: false, queue, handler)
        switch host {
        case .v4:
            sender.descriptor.set(Int(SOL_SOCKET), SO_BROADCAST, to: 1)
            sender.descriptor.set(IPPROTO_IP, IP_MULTICAST_LOOP, to: 1)
            sender.descriptor.set(IPPROTO_IP, IP_MULTICAST_TTL, to: 1)
        case .v6:
            sender.descriptor.set(IPPROTO_IPV6, IPV6_MULTICAST_LOOP, to: 1)
            sender.descriptor.set(IPPROTO_IPV6, IPV6_MULTICAST_HOPS, to: 1)
        }
        return AddressFamilySockets(group: group, sender: sender)
    }

    private static func socket(
        _ address: SocketAddress, isShared: Bool, _ queue: DispatchQueue,
        _ handler: @escaping @Sendable (BeaconSocket.Event) -> Void
    ) throws(TransportError) -> DatagramSocket {
        try DatagramSocket(
            at: address, isShared: isShared, limit: Beacon.maximumBytes, queue: queue,
            received: { handler(.heard($0, from: $1)) })
    }

    /// Hears on the port of beacons, as far as that is free and was not heard on. The error of IPv4 is the more telling
    /// one.
    private func listen() {
        let failures = [listen(at: .anyV4, with: &v4), listen(at: .anyV6, with: &v6)]
        let isDeaf = v4?.receiver == nil && v6?.receiver == nil
        deafness = isDeaf ? failures.lazy.compactMap(\.self).first : nil
    }

    private func listen(at host: IPAddress, with station: inout AddressFamilySockets?) -> TransportError? {
        guard station != nil, station?.receiver == nil else { return nil }
        do throws(TransportError) {
            let address = SocketAddress(host, port: configuration.port)
            let receiver = try Self.socket(address, isShared: true, queue, handler)
            // Otherwise Linux delivers every group that any program of the host has joined.
            switch host {
            case .v4: receiver.descriptor.set(IPPROTO_IP, IP_MULTICAST_ALL, to: 0)
            case .v6: receiver.descriptor.set(IPPROTO_IPV6, IPV6_MULTICAST_ALL, to: 0)
            }
            station?.receiver = receiver
            return nil
        } catch {
            return error
        }
    }

    func stop() {
        watch = nil
        v4 = nil
        v6 = nil
        interfaces = []
    }

    // MARK: Interfaces

    private var isStopped: Bool { v4 == nil && v6 == nil }

    private func currentInterfaces() -> [NetworkInterface] {
        NetworkInterface.usable(named: configuration.interfaces, includingLoopback: configuration.includesLoopback)
    }

    private func refresh() {
        guard !isStopped else { return }
        let wasDeaf = deafness != nil
        listen()
        let current = currentInterfaces()
        guard current != interfaces || wasDeaf && deafness == nil else { return join() }
        interfaces = current
        join()
        handler(.interfacesChanged(current))
    }

    /// Joins the groups on interfaces that are new. The kernel leaves them by itself where an interface is gone.
    private func join() {
        let present = Set(interfaces.map(\.index))
        v4?.joined.formIntersection(present)
        v6?.joined.formIntersection(present)
        for interface in interfaces {
            if interface.hasIPv4, v4?.joined.contains(interface.index) == false, joinV4(interface.index) {
                v4?.joined.insert(interface.index)
            }
            if interface.hasIPv6, v6?.joined.contains(interface.index) == false, joinV6(interface.index) {
                v6?.joined.insert(interface.index)
            }
        }
    }

    private func joinV4(_ index: UInt32) -> Bool {
        guard let v4, let receiver = v4.receiver, case .v4(let bits) = v4.group else { return false }
        var request = ip_mreqn()
        request.imr_multiaddr.s_addr = bits.bigEndian
        request.imr_ifindex = Int32(bitPattern: index)
        let result = setsockopt(
            receiver.descriptor.number, Int32(IPPROTO_IP), IP_ADD_MEMBERSHIP, &request,
            socklen_t(MemoryLayout<ip_mreqn>.size))
        return result == 0 || errno == EADDRINUSE
    }

    private func joinV6(_ index: UInt32) -> Bool {
        guard let v6, let receiver = v6.receiver else { return false }
        var request = ipv6_mreq()
        request.ipv6mr_multiaddr = v6.group.in6
        request.ipv6mr_interface = index
        let result = setsockopt(
            receiver.descriptor.number, Int32(IPPROTO_IPV6), IPV6_JOIN_GROUP, &request,
            socklen_t(MemoryLayout<ipv6_mreq>.size))
        return result == 0 || errno == EADDRINUSE
    }

    // MARK: Sending

    func announce(_ datagram: [UInt8]) {
        refresh()
        for interface in interfaces {
            var hasLeft = false
            var failure: TransportError?
            for (_, error) in send(on: interface, { _ in datagram }) {
                if let error { failure = failure ?? error } else { hasLeft = true }
            }
            if !hasLeft, let failure { handler(.undeliverable(on: interface.name, failure)) }
        }
    }

    /// Sends a datagram of its own by each way on each usable interface.
    ///
    /// - Returns: what was sent where, and why it did not leave.
    func probe(_ datagram: (NetworkInterface, BeaconWay) -> [UInt8]) -> [BeaconProbe.Departure] {
        refresh()
        return interfaces.flatMap { interface in
            var departures: [BeaconWay: BeaconProbe.Departure] = [:]
            for (way, error) in send(on: interface, { datagram(interface, $0) }) {
                let failure = departures[way]?.failure ?? error
                departures[way] = .init(
                    interface: interface, way: way, datagram: datagram(interface, way), failure: failure)
            }
            return departures.values.sorted { $0.way.rawValue < $1.way.rawValue }
        }
    }

    /// Sends on an interface by every way that it has.
    ///
    /// - Returns: of each datagram why it did not leave; nil if it did.
    private func send(
        on interface: NetworkInterface, _ datagram: (BeaconWay) -> [UInt8]
    ) -> [(BeaconWay, TransportError?)] {
        var attempts: [(BeaconWay, TransportError?)] = []
        func attempt(_ way: BeaconWay, _ send: () throws(TransportError) -> Void) {
            do throws(TransportError) {
                try send()
                attempts.append((way, nil))
            } catch {
                attempts.append((way, error))
            }
        }
        if let v4, interface.hasIPv4 {
            attempt(.multicastV4) { () throws(TransportError) in
                try select(interface, of: v4.sender)
                try v4.sender.send(datagram(.multicastV4), to: SocketAddress(v4.group, port: configuration.port))
            }
            for everyone in interface.broadcastAddresses {
                attempt(.broadcast) { () throws(TransportError) in
                    try v4.sender.send(datagram(.broadcast), to: SocketAddress(everyone, port: configuration.port))
                }
            }
        }
        if let v6, interface.hasIPv6, case .v6(let high, let low, _) = v6.group {
            let group = IPAddress.v6(high: high, low: low, scope: interface.index)
            attempt(.multicastV6) { () throws(TransportError) in
                try v6.sender.send(datagram(.multicastV6), to: SocketAddress(group, port: configuration.port))
            }
        }
        return attempts
    }

    func answer(_ datagram: [UInt8], to address: SocketAddress) {
        let station: AddressFamilySockets?
        switch address.host {
        case .v4: station = v4
        case .v6: station = v6
        }
        do throws(TransportError) {
            try station?.sender.send(datagram, to: address)
        } catch {
            handler(.undeliverable(on: address.description, error))
        }
    }

    /// Makes the next IPv4 multicast leave through an interface, from its own address: from the loopback interface the
    /// kernel would otherwise give an address that a node listening on 127.0.0.1 cannot be dialed at.
    private func select(_ interface: NetworkInterface, of socket: DatagramSocket) throws(TransportError) {
        var request = ip_mreqn()
        request.imr_ifindex = Int32(bitPattern: interface.index)
        if case .v4(let bits)? = interface.addresses.first(where: \.isV4) {
            request.imr_address.s_addr = bits.bigEndian
        }
        let result = setsockopt(
            socket.descriptor.number, Int32(IPPROTO_IP), IP_MULTICAST_IF, &request,
            socklen_t(MemoryLayout<ip_mreqn>.size))
        guard result == 0 else { throw TransportError(errno: errno, of: "setsockopt") }
    }
}
