import Dispatch
import Logging
import NodeCore
import OperationLog
import Replication
import StreamTransport
import Time

extension Node {
    /// Begins to send and hear beacons. A network without UDP is no reason not to run: static peers still work.
    func startDiscovery() {
        var place = BeaconSocket.Configuration()
        place.interfaces = configuration.interfaces
        place.includesLoopback = configuration.interfaces.contains("lo")
        do throws(TransportError) {
            beacons = try BeaconSocket(place, queue: executor.queue) { [weak self] event in
                self?.assumeIsolated { $0.handle(event) }
            }
        } catch {
            logger.warning(
                "no beacons can be sent or heard; use --peer",
                metadata: ["reason": "\(error)", "remedy": "\(error.remedy ?? "")"])
        }
    }

    /// Says which of the places that the user named are not there, without waiting for name servers.
    func warnOfMissingPlaces() {
        let places = NamedPlaces(
            peers: configuration.peers, interfaces: configuration.discovery ? configuration.interfaces : [])
        Task { [logger] in
            for warning in await places.warnings() { logger.warning("\(warning)") }
        }
    }

    private func handle(_ event: BeaconSocket.Event) {
        switch event {
        case .heard(let bytes, let sender):
            if let version = Beacon.otherVersion(in: bytes) { tellOfVersion(version, at: "\(sender.host)") }
            change { $0.handle(.heard(bytes, from: Endpoint(sender)), at: $1) }
        case .interfacesChanged:
            change { $0.handle(.networksChanged, at: $1) }
        case .deaf(let error):
            logger.warning(
                "beacons of others are not heard until their port is free; use --peer",
                metadata: ["reason": "\(error)", "remedy": "\(error.remedy ?? "")"])
        case .undeliverable(let interface, let error):
            logger.debug("a beacon reached nobody", metadata: ["interface": "\(interface)", "reason": "\(error)"])
        }
    }

    /// Says who has to upgrade where two versions of the protocol cannot talk. Anybody could have sent the datagram, so
    /// it is said once an hour.
    private func tellOfVersion(_ version: UInt8, at host: String) {
        let isOlder = version < Beacon.version
        log(
            LogLine(
                .warning, "a node nearby speaks another version of the protocol, and the two cannot talk",
                [
                    "host": "\(host)", "theirs": "\(version)", "ours": "\(Beacon.version)",
                    "remedy": isOlder ? "upgrade Moot on that host" : "upgrade Moot on this host",
                ], once: .seconds(3_600), as: "other version"))
    }

    /// Wakes the core at a moment at the latest.
    func wake(at moment: Instant) {
        wake.wake(at: moment, now: now, leeway: .milliseconds(1), on: executor.queue) { [weak self] in
            self?.assumeIsolated { node in
                node.wake.fired()
                node.tick(at: node.moment)
            }
        }
    }

    /// Tells the core that time has passed, and before that which of the peers that should have answered may only have
    /// much to do: their hosts are there.
    private func tick(at moment: Moment) {
        for peer in core.replicator.overduePeers(at: moment.monotonic)
        where connections[peer]?.stream.isAcknowledged == true {
            change { core, _ in core.handle(.acknowledged(peer), at: moment) }
        }
        change { core, _ in core.handle(.tick, at: moment) }
    }
}
