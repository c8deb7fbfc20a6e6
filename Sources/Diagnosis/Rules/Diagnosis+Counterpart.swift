extension Diagnosis {
    /// A clock that differs by more seconds puts messages at wrong times.
    private static let clockTolerance = 120.0
    /// A node sends a beacon every half minute, so that several were lost when none came for so many seconds.
    private static let beaconSilence = 120.0

    /// What the node of another person sees of this one that is wrong.
    var counterpartFindings: [Finding] {
        guard let counterpart else { return [] }
        guard counterpart.sharesConversation else { return [noSharedConversation(counterpart)] }
        guard !counterpart.nodes.isEmpty else { return [notConnected(counterpart)].compactMap { $0 } }
        return counterpart.nodes.flatMap { findings(about: $0, of: counterpart) }
    }

    private func findings(
        about node: CounterpartObservation.Node, of counterpart: CounterpartObservation
    ) -> [Finding] {
        guard let answer = node.answer else { return [silent(node.peer)] }
        return [
            notReached(answer, node.peer), beaconsLost(answer, node.peer), clockDiffers(answer, node.peer),
            versionDiffers(answer, node.peer, own: counterpart.ownVersion),
        ].compactMap { $0 }
    }

    // MARK: - Nobody answers

    private func noSharedConversation(_ counterpart: CounterpartObservation) -> Finding {
        let name = counterpart.name
        return Finding(
            .noSharedConversation, about: name, measured: "You and \(name) are in no conversation together.",
            meaning: "A node tells what it sees only to people who share a conversation with its user.",
            remedy: "moot direct \(counterpart.shellName), or on that host: moot doctor")
    }

    private func notConnected(_ counterpart: CounterpartObservation) -> Finding? {
        // What keeps this host from every network, or from a place where they are, is told already.
        guard host.networks.interfaces.contains(where: { !$0.isLoopback }),
            node?.places.contains(where: {
                $0.name == counterpart.name && finding(about: $0)?.severity == .problem
            }) != true
        else { return nil }
        return Finding(
            .peerNotConnected, about: counterpart.name,
            measured: "No node of \(counterpart.name) is connected.",
            meaning: "Their node does not run, or nothing of either host reaches the other.",
            remedy: "On that host: moot status, moot doctor. Or here: moot up --peer HOST:PORT")
    }

    private func silent(_ peer: NodeObservation.Peer) -> Finding {
        Finding(
            .peerSilent, .note, about: peer.name,
            measured:
                "The node of \(peer.name) (\(peer.address)) is connected, and did not say what it sees of this one.",
            meaning:
                "Its program is too old to be asked, \(peer.name) took part in no conversation with you yet, it was asked too often, or the host is busy.",
            remedy: "moot --version on both hosts; on that host: moot doctor")
    }

    // MARK: - What they see

    private func notReached(_ answer: CounterpartObservation.Answer, _ peer: NodeObservation.Peer) -> Finding? {
        // What this host alone shows needs no other one.
        guard case .failed(let reason) = answer.dialBack, !isDropped(.tcp, port: listenPort),
            host.sockets.ownDials.allSatisfy({ $0.failure == nil }),
            node?.listening.allSatisfy(Self.isLoopback) != true, !peer.isOnThisHost
        else { return nil }
        let before =
            answer.failedDials.isEmpty ? "" : " Before, it tried \(answer.failedDials.joined(separator: ", "))."
        let measured = "\(peer.name) (\(peer.address)) dialed this node at \(answer.address): \(reason).\(before)"
        if let node, !node.listening.contains(where: { Self.covers($0, answer.address) }) {
            // It may be an address of a router that stands before this host.
            let every = answer.address.hasPrefix("[") ? "'[::]:\(listenPort)'" : "0.0.0.0:\(listenPort)"
            return Finding(
                .notReachedByPeer, about: peer.name, measured: measured,
                meaning: "The node listens on \(node.listening.joined(separator: ", ")) only, and not on that address.",
                remedy: "moot down; moot up --listen \(every)")
        }
        return Finding(
            .notReachedByPeer, about: peer.name, measured: measured,
            meaning:
                "Only this host can connect to that one: a firewall here, or something between the two, turns TCP port \(listenPort) away.",
            remedy: letIn(.tcp, port: listenPort))
    }

    /// Whether a node that listens at one address hears those who dial another.
    private static func covers(_ listening: String, _ dialed: String) -> Bool {
        let (own, other) = (listening.hostPart, dialed.hostPart)
        // The address of every IPv6 interface takes IPv4 as well.
        return own == other || own == "::" || (own == "0.0.0.0" && !dialed.hasPrefix("["))
    }

    private func beaconsLost(_ answer: CounterpartObservation.Answer, _ peer: NodeObservation.Peer) -> Finding? {
        guard let node, node.discovers, answer.discovers, peer.isNeighbor, !peer.isOnThisHost,
            min(peer.connectedSeconds, node.uptimeSeconds) >= Self.beaconTime
        else { return nil }
        if Self.isSilence(answer.ownBeaconSeconds) {
            return Finding(
                .peerHearsNoBeacons, about: peer.name,
                measured: "\(peer.name) (\(peer.address)) does not hear its own beacons.",
                meaning:
                    "A firewall of that host turns UDP port \(host.sockets.beaconPort) away: it finds nobody by itself.",
                remedy: "On that host: moot doctor")
        }
        // Where nothing leaves this host, or nothing comes from there either, that is told already.
        guard Self.isSilence(answer.beaconSeconds), areBeaconsSent, !Self.isSilence(peer.beaconSeconds) else {
            return nil
        }
        let heard = answer.beaconSeconds.map { "heard the last beacon of this host \(Int($0)) s ago" }
        return Finding(
            .beaconsNotHeardByPeer, .note, about: peer.name,
            measured:
                "\(peer.name) (\(peer.address)) is connected, and \(heard ?? "never heard a beacon of this host").",
            meaning:
                "Beacons of this host do not get there, and theirs get here: an access point or a switch filters multicast one way (IGMP snooping).",
            remedy:
                "On that host: moot up --peer HOST:PORT with an address of this one. Or switch IGMP snooping off at the switch or access point"
        )
    }

    private func clockDiffers(_ answer: CounterpartObservation.Answer, _ peer: NodeObservation.Peer) -> Finding? {
        guard abs(answer.clockSecondsAhead) > Self.clockTolerance,
            node?.clocks.contains(where: { $0.name == peer.name }) != true
        else { return nil }
        return clockDiffers(.init(name: peer.name, secondsAhead: Int64(answer.clockSecondsAhead.rounded())))
    }

    private func versionDiffers(
        _ answer: CounterpartObservation.Answer, _ peer: NodeObservation.Peer, own: String
    ) -> Finding? {
        guard answer.version != own else { return nil }
        return Finding(
            .programDiffers, .note, about: peer.name,
            measured: "\(peer.name) runs version \(answer.version) of the program, and this host version \(own).",
            meaning: "The two can talk; one of them lacks what the other can do.",
            remedy: "moot --version on both hosts; upgrade the older one")
    }

    /// Whether beacons leave this host, as far as is known.
    private var areBeaconsSent: Bool {
        let sent = host.networks.beacons
        return host.sockets.beaconHolder == .nobody
            && (sent.isEmpty || sent.contains { $0.outcome == .heard || $0.outcome == .lost })
    }

    private static func isSilence(_ seconds: Double?) -> Bool { seconds.map { $0 > beaconSilence } ?? true }
}
