extension Diagnosis {
    /// How long after a connection a beacon would have been heard: a node sends three in its first second, and answers
    /// those of others.
    static let beaconTime = 5.0
    /// How long nodes of one network take to find each other, with room to spare.
    private static let findingTime = 10.0
    /// A round trip on a local network takes milliseconds.
    private static let slowRoundTrip = 1_000.0

    /// Who is not reached, or is reached badly.
    var peerFindings: [Finding] {
        guard let node else { return [] }
        return node.places.compactMap(finding) + node.peers.flatMap(findings) + node.clocks.map(clockDiffers)
            + [nobodyFound].compactMap { $0 }
    }

    // MARK: - Places

    /// A node that is there sends a beacon at least so often, in seconds.
    private static let beaconInterval = 60.0

    func finding(about place: NodeObservation.Place) -> Finding? {
        guard place.isNamed || place.beaconSeconds.map({ $0 < Self.beaconInterval }) ?? false else { return nil }
        switch place.errorCode {
        case "wrong_device":
            return Finding(
                .wrongDevice, about: place.address, measured: "Another device than the expected one answered at it.",
                meaning: "The host was installed anew, or another one has its address now.",
                remedy: "moot whoami --code on that host, and moot people add CODE here")
        case "bad_handshake", "bad_length":
            return Finding(
                .otherVersion, about: place.address,
                measured: "What answers there does not speak our protocol (\(place.errorCode ?? "")).",
                meaning: "The two versions are too far apart to talk to each other, or another program has that port.",
                remedy: "moot --version on both hosts; upgrade the older one")
        default: break
        }
        guard let probe = place.probe, probe != .accepted else { return nil }
        // What keeps this host from every network keeps it from this place, too.
        guard host.networks.interfaces.contains(where: { !$0.isLoopback }) else { return nil }
        let who = place.name.map { "\($0) at \(place.address)" } ?? place.address
        return otherSubnet(place, who) ?? (place.beaconSeconds == nil ? notReached(place, who) : seen(place, who))
    }

    private func otherSubnet(_ place: NodeObservation.Place, _ who: String) -> Finding? {
        guard let address = place.ipv4, place.probe == .unreachable || place.probe == .timedOut else { return nil }
        let own = host.networks.interfaces.filter { !$0.isLoopback }.flatMap(\.networks)
        let isRouted = host.networks.routes.contains { $0.destination.contains(address) }
        guard !own.contains(where: { $0.contains(address) }), !isRouted else { return nil }
        let networks = own.map(\.description).joined(separator: ", ")
        return Finding(
            .otherSubnet, about: who,
            measured:
                "\(IPv4Prefix.text(address)) is in none of this host's networks (\(networks)), and no route leads there.",
            meaning: "The two hosts have addresses of different subnets, although they may share a cable.",
            remedy: "Give both an address of one network, for example by DHCP on both, or add a route on both.")
    }

    private func seen(_ place: NodeObservation.Place, _ who: String) -> Finding {
        let ago = Int(place.beaconSeconds ?? 0)
        // Where nobody listens any more, the node was mostly stopped since.
        return Finding(
            .seenNotReached, place.probe == .refused ? .note : .problem, about: who,
            measured: "A beacon came from there \(ago) s ago, and dialing it gives: \(Self.words(for: place)).",
            meaning:
                "Its beacons get here and connections do not get there: its firewall turns TCP away, or an access point keeps its clients apart.",
            remedy: "On that host: moot doctor. Otherwise switch client isolation off at the access point.")
    }

    private func notReached(_ place: NodeObservation.Place, _ who: String) -> Finding {
        let (meaning, remedy): (String, String) =
            switch place.probe {
            case .refused: ("The host is there, and no node listens on that port.", "On that host: moot status")
            case .noName: ("Nobody knows an address for this name.", "getent hosts \(place.address.hostPart)")
            case .unreachable: ("No route leads there, or the host is off.", "ip route get \(place.address.hostPart)")
            case .timedOut, .failed, .accepted, nil:
                ("The host is off, or a firewall on the way drops what is sent to it.", "On that host: moot doctor")
            }
        // Of a contact code somebody may be away for long; whom an option names should be there.
        return Finding(
            .placeNotReached, place.name == nil ? .problem : .note, about: who,
            measured: "Dialing it gives: \(Self.words(for: place)).", meaning: meaning,
            remedy: remedy)
    }

    private static func words(for place: NodeObservation.Place) -> String {
        switch place.probe {
        case .refused: "connection refused"
        case .unreachable: "no route"
        case .timedOut: "no answer"
        case .noName: "no such name"
        case .accepted, .failed, nil: place.error ?? "an error"
        }
    }

    // MARK: - Peers

    private func findings(about peer: NodeObservation.Peer) -> [Finding] {
        [reachedNotSeen(peer), largePacketsLost(peer), slowPeer(peer)].compactMap { $0 }
    }

    private func reachedNotSeen(_ peer: NodeObservation.Peer) -> Finding? {
        guard let node, node.discovers, !areBeaconsLost, peer.isNeighbor, !peer.isOnThisHost,
            peer.beaconSeconds == nil, min(peer.connectedSeconds, node.uptimeSeconds) >= Self.beaconTime
        else { return nil }
        return Finding(
            .reachedNotSeen, .note, about: peer.name,
            measured: "\(peer.name) (\(peer.address)) is connected, and no beacon of theirs was ever heard.",
            meaning:
                "Beacons do not get through: an access point or a switch filters multicast (IGMP snooping), or their node was started with --no-discovery. Others may not be found.",
            remedy:
                "moot up --peer HOST:PORT with an address of theirs, or switch IGMP snooping off at the switch or access point"
        )
    }

    private func largePacketsLost(_ peer: NodeObservation.Peer) -> Finding? {
        guard case .largeLost(let bytes) = peer.echo else { return nil }
        return Finding(
            .largePacketsLost, about: peer.name,
            measured: "\(peer.address) answers small packets, and none of \(bytes) bytes.",
            meaning:
                "Something on the way drops large packets without a word (an MTU black hole): connections begin and then stand still.",
            remedy: "sudo ip link set dev INTERFACE mtu 1280")
    }

    private func slowPeer(_ peer: NodeObservation.Peer) -> Finding? {
        guard let trip = peer.roundTripMilliseconds, trip >= Self.slowRoundTrip else { return nil }
        return Finding(
            .slowPeer, .note, about: peer.name, measured: "A round trip to \(peer.name) takes \(Int(trip)) ms.",
            meaning: "The link is crowded, or the host is busy. On a local network it takes a few milliseconds.",
            remedy: "ping \(peer.address.hostPart)")
    }

    func clockDiffers(_ clock: NodeObservation.Clock) -> Finding {
        let direction = clock.secondsAhead < 0 ? "behind" : "ahead of"
        return Finding(
            .clockDiffers, about: clock.name,
            measured: "\(clock.name)'s clock is \(clock.secondsAhead.magnitude) s \(direction) this host's.",
            meaning: "Messages stand at wrong times. If most clocks differ alike, this host's own is wrong.",
            remedy: "timedatectl on both hosts; sudo timedatectl set-ntp true on the wrong one")
    }

    private var nobodyFound: Finding? {
        // Of somebody who was asked after, more is told.
        guard counterpart == nil, let node, node.discovers, node.peers.isEmpty, node.places.isEmpty,
            node.heardDevices == 0, node.uptimeSeconds >= Self.findingTime, !areBeaconsLost, Self.isReachable(node),
            host.networks.interfaces.contains(where: { !$0.isLoopback })
        else { return nil }
        return Finding(
            .nobodyFound, .note, about: "other nodes",
            measured: "In \(Int(node.uptimeSeconds)) s no beacon of another node was heard.",
            meaning: "No other node runs on this network, or something between the hosts drops beacons.",
            remedy: "moot doctor on the other host; or here: moot up --peer HOST:PORT")
    }

    private static func isReachable(_ node: NodeObservation) -> Bool { !node.listening.allSatisfy(isLoopback) }
}

extension String {
    /// What stands before the last colon, without brackets.
    var hostPart: String {
        let host = lastIndex(of: ":").map { self[..<$0] } ?? self[...]
        return host.filter { $0 != "[" && $0 != "]" }
    }
}
