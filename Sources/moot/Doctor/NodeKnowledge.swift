import Diagnosis
import Foundation
import KeyStore
import LocalAPIClient
import LocalAPIModel
import NodeCore
import StreamTransport

/// What the running node answers, and what follows when its peers and places are tried from here.
struct NodeKnowledge: Sendable {
    /// Places and peers that are tried.
    private static let maximumTried = 16
    /// How long the node may take to answer.
    private static let timeout = Duration.seconds(2)
    let status: StatusDescription
    let reachability: ReachabilityDescription
    let verification: VerificationDescription

    /// Asks the node of a home; nil where none answers.
    ///
    /// - Parameter unseen: gets a sentence if there is one, and it does not answer.
    static func ask(_ client: LocalClient, home: String, unseen: inout [String]) async -> NodeKnowledge? {
        let answer = await Deadline.answer(within: timeout) { await ask(client) }
        switch answer {
        case .success(let knowledge): return knowledge
        case .failure(.notRunning) where !LockHolder.hold(ofHome: home).isNodes: break
        case .failure(let error): unseen.append("What the node knows: \(error.detail.message).")
        case nil: unseen.append("What the node knows: it does not answer.")
        }
        return nil
    }

    private static func ask(_ client: LocalClient) async -> Result<NodeKnowledge, LocalClientError> {
        do throws(LocalClientError) {
            let (status, reachability) = (try await client.status(), try await client.reachability())
            return .success(
                NodeKnowledge(status: status, reachability: reachability, verification: try await client.verify()))
        } catch {
            return .failure(error)
        }
    }

    /// Tries peers and places, and puts everything together.
    func observation(on host: HostObservation, _ unseen: inout [String]) async -> NodeObservation {
        let interfaces = NetworkInterface.usable(includingLoopback: true)
        async let places = tryPlaces()
        let echoes = await tryPeers(interfaces)
        if echoes.values.contains(.notPermitted) {
            unseen.append("Whether large packets reach peers: net.ipv4.ping_group_range lets this user send none.")
        }
        return NodeObservation(
            listening: status.listening, discovers: status.discovery, uptimeSeconds: status.uptimeSeconds,
            peers: status.peers.map { describe($0, echoes[$0.device], interfaces) }, places: await places,
            heardDevices: reachability.beacons.count,
            bans: reachability.bans.map {
                .init(name: $0.name ?? "somebody", device: $0.device, secondsLeft: $0.secondsLeft)
            },
            clocks: status.clocks.map { .init(name: $0.name, secondsAhead: $0.secondsAhead) }, replica: replica)
    }

    /// What the nodes of a person say of reaching this one.
    func counterpart(_ person: PersonReachabilityDescription) -> CounterpartObservation {
        let interfaces = NetworkInterface.usable(includingLoopback: true)
        let nodes = person.nodes.map { node in
            let known = status.peers.first { $0.device == node.device }
            // Of whoever came after the node told whom it is connected to, less is known.
            let peer =
                known.map { describe($0, nil, interfaces) }
                ?? Self.observation(of: person.name, at: node.address, interfaces)
            return CounterpartObservation.Node(peer: peer, answer: node.answer.map(Self.observation))
        }
        return CounterpartObservation(
            name: person.name, shellName: ShellWord.quoted(person.name), sharesConversation: person.sharesConversation,
            nodes: nodes, ownVersion: status.version)
    }

    private static func observation(
        of answer: PersonReachabilityDescription.Answer
    ) -> CounterpartObservation.Answer {
        let dialBack: CounterpartObservation.Answer.DialBack =
            switch answer.reached {
            case nil: .notTried
            case true?: .accepted
            case false?: .failed(answer.reason ?? "an error")
            }
        return .init(
            version: answer.version, clockSecondsAhead: answer.clockSecondsAhead, address: answer.address,
            dialBack: dialBack, discovers: answer.discovery, ownBeaconSeconds: answer.ownBeaconSeconds,
            beaconSeconds: answer.beacon?.seconds,
            failedDials: answer.failedDials.map { "\($0.address) (\($0.reason))" })
    }

    // MARK: - Places

    private func tryPlaces() async -> [NodeObservation.Place] {
        let beacons = Dictionary(reachability.beacons.map { ($0.address, $0.seconds) }) { min($0, $1) }
        let tried = reachability.places.filter { $0.named || beacons[$0.address] != nil }.prefix(Self.maximumTried)
        return await withTaskGroup { group in
            for place in tried {
                group.addTask {
                    let (address, probe) = await PlaceProbe.dial(place.address)
                    var ipv4: UInt32?
                    if case .v4(let bits) = address?.host { ipv4 = bits }
                    return NodeObservation.Place(
                        address: place.address, name: place.name, isNamed: place.named, failures: place.failures,
                        errorCode: place.error, error: place.reason, beaconSeconds: beacons[place.address],
                        probe: probe, ipv4: ipv4)
                }
            }
            return await group.reduce(into: []) { $0.append($1) }.sorted { $0.address < $1.address }
        }
    }

    // MARK: - Peers

    private func tryPeers(_ interfaces: [NetworkInterface]) async -> [String: EchoProbe.Outcome] {
        let hosts = status.peers.prefix(Self.maximumTried).compactMap { peer in
            SocketAddress(peer.address).map { (peer.device, $0.host) }
        }.filter { !Self.isOwn($0.1, interfaces) }
        return await withTaskGroup { group in
            for (device, host) in hosts {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        // It waits for answers, which no thread of the concurrency runtime may.
                        DispatchQueue.global().async { continuation.resume(returning: (device, EchoProbe.run(host))) }
                    }
                }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
    }

    private static func isOwn(_ host: IPAddress, _ interfaces: [NetworkInterface]) -> Bool {
        host.isLoopback || interfaces.contains { $0.addresses.contains(host) }
    }

    private func describe(
        _ peer: PeerDescription, _ echo: EchoProbe.Outcome?, _ interfaces: [NetworkInterface]
    ) -> NodeObservation.Peer {
        let outcome: NodeObservation.Peer.Echo? =
            switch echo {
            case .answered: .answered
            case .largeLost(let bytes): .largeLost(bytes: bytes)
            case .silent, .notPermitted, nil: nil
            }
        let since = try? Date(peer.connectedAt, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        return Self.observation(
            of: peer.name, at: peer.address, interfaces,
            connectedSeconds: since.map { max(0, -$0.timeIntervalSinceNow) } ?? 0,
            roundTripMilliseconds: peer.roundTripMilliseconds,
            beaconSeconds: reachability.beacons.first { $0.device == peer.device }?.seconds, echo: outcome)
    }

    private static func observation(
        of name: String, at address: String, _ interfaces: [NetworkInterface], connectedSeconds: Double = 0,
        roundTripMilliseconds: Double? = nil, beaconSeconds: Double? = nil, echo: NodeObservation.Peer.Echo? = nil
    ) -> NodeObservation.Peer {
        let host = SocketAddress(address)?.host
        return NodeObservation.Peer(
            name: name, address: address, isOnThisHost: host.map { isOwn($0, interfaces) } ?? false,
            isNeighbor: host.map { host in interfaces.contains { $0.isNeighbor(host) } } ?? false,
            connectedSeconds: connectedSeconds, roundTripMilliseconds: roundTripMilliseconds,
            beaconSeconds: beaconSeconds, echo: echo)
    }

    // MARK: - Replicas

    private var replica: ReplicaObservation {
        let keys = Dictionary(reachability.missingKeys.map { ($0.conversation, $0.count) }) { first, _ in first }
        let gaps = Dictionary(verification.conversations.map { ($0.conversation, $0.gaps) }) { first, _ in first }
        return ReplicaObservation(
            storageProblem: status.storage == "writable" ? nil : status.storage,
            forks: Array(Set(status.forks.map(\.name))).sorted(),
            conversations: status.conversations.map { sync in
                let open = (gaps[sync.conversation] ?? []).filter { gap in
                    // Whoever is here and was not asked yet will be.
                    !gap.sources.contains { $0.reachable && !$0.hadNothing }
                }
                return .init(
                    title: sync.title, gaps: open.map(\.text), pending: sync.pending,
                    isPulling: sync.state == .pulling, missingKeys: keys[sync.conversation] ?? 0)
            })
    }
}
