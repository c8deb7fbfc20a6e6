import Diagnosis
import Dispatch
import Foundation
import Glibc
import KeyStore
import LocalAPIModel
import Node
import StreamTransport

/// Looks at a host: its ports, networks, firewall, disk and clock.
struct HostObserver {
    /// The port of a node without another one.
    private static let defaultListenPort: UInt16 = 47_470
    /// A new address cannot speak before the system has checked that nobody else has it, which takes a second or two.
    private static let newAddressTime = Duration.seconds(2)
    /// Own addresses that are dialed.
    private static let maximumOwnDials = 8

    let home: String
    /// What the node of the home says; nil where none runs.
    let node: NodeKnowledge?

    /// Looks at everything; nil where nothing can be seen of the disk.
    ///
    /// - Parameter unseen: gets a sentence for everything that could not be looked at.
    func observe(_ unseen: inout [String]) async -> HostObservation? {
        guard let disk = await Self.waitingElsewhere({ [home] in HomeObserver.observe(home) }) else { return nil }
        await waitForNewAddresses()
        let interfaces = NetworkInterface.usable(includingLoopback: true)
        async let probe = probeBeacons()
        async let dials = dialOwnAddresses(interfaces)
        let firewall = await Self.waitingElsewhere { FirewallObserver() }
        unseen += firewall.unseen
        let machine = MachineObserver.observe(process: node?.status.pid)
        if machine.isClockSynchronized == nil { unseen.append("Whether something keeps the clock right.") }
        let (beacons, beaconHolder) = await probe
        return HostObservation(
            sockets: SocketObservation(
                listenPort: listenPort, holder: holder, beaconPort: BeaconSocket.defaultPort,
                beaconHolder: beaconHolder, isIPv6Disabled: isIPv6Disabled, ownDials: await dials),
            networks: NetworkObservation(
                interfaces: interfaces.map(Self.describe), routes: RouteTable.routes(in: Self.read("/proc/net/route")),
                beacons: beacons),
            firewall: firewall.observation, home: disk, machine: machine)
    }

    /// Does what waits for the disk or for programs, which no thread of the concurrency runtime may.
    private static func waitingElsewhere<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: work()) }
        }
    }

    // MARK: - Ports

    private var listenPort: UInt16 {
        let ports = (node?.status.listening ?? []).compactMap { SocketAddress($0)?.port }
        return ports.first ?? Self.defaultListenPort
    }

    private var holder: SocketObservation.Holder {
        guard node == nil else { return .node }
        guard PortHolder.isHeld(listenPort) else { return .nobody }
        let holder = PortHolder.find(of: listenPort)
        // A node that does not answer has its port all the same.
        if let process = holder?.process, process == LockHolder(ofHome: home)?.process { return .node }
        return .other(process: holder?.process, program: holder?.program)
    }

    private var isIPv6Disabled: Bool? {
        guard access("/proc/sys/net/ipv6", F_OK) == 0 else { return true }
        return Self.read("/proc/sys/net/ipv6/conf/all/disable_ipv6").first.map { $0 == "1" }
    }

    private func dialOwnAddresses(_ interfaces: [NetworkInterface]) async -> [SocketObservation.OwnDial] {
        let listening = (node?.status.listening ?? []).compactMap { SocketAddress($0) }
        let own = interfaces.filter { !$0.isLoopback }.flatMap(\.addresses).flatMap { address in
            listening.filter { place in
                place.host == .anyV6 || place.host == .anyV4 && address.isV4 || place.host == address
            }.map { SocketAddress(address, port: $0.port) }
        }.prefix(Self.maximumOwnDials)
        return await PlaceProbe.dial(Array(own)).map { address, result in
            switch result {
            case .success: .init(address: address.description, failure: nil)
            case .failure(let error): .init(address: address.description, failure: error.description)
            }
        }
    }

    // MARK: - Networks

    private func waitForNewAddresses() async {
        let end = ContinuousClock.now + Self.newAddressTime
        while Self.hasNewAddress, ContinuousClock.now < end {
            guard (try? await Task.sleep(for: .milliseconds(50))) != nil else { return }
        }
    }

    /// Whether an IPv6 address is still being checked: the fifth column of the table has its flags.
    private static var hasNewAddress: Bool {
        let isTentative: UInt32 = 0x40
        return read("/proc/net/if_inet6").split(separator: "\n").contains { line in
            let columns = line.split(separator: " ")
            return columns.count > 4 && (UInt32(columns[4], radix: 16) ?? 0) & isTentative != 0
        }
    }

    /// Sends beacons to this host itself; and finds who keeps the port from it.
    private func probeBeacons() async -> ([NetworkObservation.Beacon], SocketObservation.Holder) {
        do throws(TransportError) {
            let outcomes = try await BeaconProbe.run(marker: .random(in: .min ... .max))
            let taken = outcomes.contains { outcome in
                if case .portInUse = outcome.departure.failure { true } else { false }
            }
            return (outcomes.map(Self.describe), taken ? beaconHolder : .nobody)
        } catch {
            guard case .portInUse = error else { return ([], .nobody) }
            return ([], beaconHolder)
        }
    }

    private var beaconHolder: SocketObservation.Holder {
        let holder = PortHolder.find(of: BeaconSocket.defaultPort, .datagrams)
        return .other(process: holder?.process, program: holder?.program)
    }

    private static func describe(_ outcome: BeaconProbe.Outcome) -> NetworkObservation.Beacon {
        let departure = outcome.departure
        let result: NetworkObservation.Beacon.Outcome =
            switch departure.failure {
            case nil: outcome.isHeard ? .heard : .lost
            case .unreachable: .noRoute
            case let error?: .refused(error.description)
            }
        return .init(interface: departure.interface.name, way: departure.way.rawValue, outcome: result)
    }

    private static func describe(_ interface: NetworkInterface) -> NetworkObservation.Interface {
        let networks = interface.addresses.compactMap { address -> IPv4Prefix? in
            guard case .v4(let bits) = address else { return nil }
            return IPv4Prefix(bits, length: interface.prefixLengths[address] ?? 32)
        }
        return .init(
            name: interface.name, isLoopback: interface.isLoopback, networks: networks,
            hasRoutableAddress: !interface.addresses.allSatisfy(\.isLinkLocal))
    }

    private static func read(_ path: String) -> String {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
