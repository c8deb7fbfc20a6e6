import Conversations
import Dispatch
import Logging
import NodeCore
import OperationLog
import Replication
import StreamTransport

extension Node {
    /// The port a node listens on unless told otherwise. Never another one in silence: firewalls, contact codes and
    /// other hosts name it.
    static let defaultListenPort: UInt16 = 47_470

    /// The addresses peers can dial, for people and programs.
    var listeningAddresses: [String] { listener.map { [$0.address.description] } ?? [] }

    /// The port peers can dial; 0 before ``start()``.
    var listeningPort: UInt16 { listener?.address.port ?? 0 }

    /// Begins to accept connections.
    func listen() throws(NodeError) {
        guard let text = configuration.listen else {
            listener = try makeListener(at: SocketAddress(.anyV6, port: Self.defaultListenPort))
            return
        }
        guard let address = SocketAddress(text) else {
            throw NodeError(
                .badConfiguration, "\"\(text)\" is no address to listen on", hint: "Write --listen 0.0.0.0:47470.")
        }
        listener = try makeListener(at: address)
    }

    private func makeListener(at address: SocketAddress) throws(NodeError) -> StreamListener {
        do throws(TransportError) {
            return try StreamListener(at: address, queue: executor.queue) { [weak self] event in
                self?.assumeIsolated { $0.handle(event) }
            }
        } catch {
            throw Self.refusal(of: address, because: error)
        }
    }

    /// Why nothing can listen at an address.
    static func refusal(of address: SocketAddress, because error: TransportError) -> NodeError {
        switch error {
        case .portInUse: portInUse(address)
        case .permissionDenied: NodeError(.permissionDenied, error.description, hint: error.remedy)
        default: NodeError(.addressUnavailable, error.description, hint: error.remedy)
        }
    }

    /// Says who has a port, as far as that is known.
    private static func portInUse(_ address: SocketAddress) -> NodeError {
        let holder = PortHolder.find(of: address.port).map { holder in
            "\(SanitizedText.line(holder.program, limit: 15)) (process \(holder.process))"
        }
        return NodeError(
            .portInUse, "\(holder ?? "Another program") already listens on port \(address.port)",
            hint:
                "Stop it, or choose another port for this node, for example --listen 0.0.0.0:\(defaultListenPort + 1).")
    }

    private func handle(_ event: StreamListener.Event) {
        switch event {
        case .accepted(let socket, let slot):
            connect(socket, target: nil, slot: slot)
        case .turnedAway(let address, let reason): logTurnedAway(address, because: "\(reason)")
        case .displaced(let address): logTurnedAway(address, because: "displaced")
        case .paused(let error):
            log(LogLine(.warning, "no connections are accepted for the moment", ["reason": "\(error)"]))
        }
    }

    private func logTurnedAway(_ address: SocketAddress, because reason: String) {
        // Whoever knocks all the time must not fill the log, from however many addresses.
        log(
            LogLine(
                .warning, "connections were turned away", ["from": "\(address.host)", "reason": "\(reason)"],
                as: "turned away"))
    }

    /// Dials a place.
    func dial(_ target: DialTarget) {
        let queue = executor.queue
        guard let place = try? HostAndPort(target.address) else {
            return change { $0.handle(.dialFailed(target, reason: "malformed_address"), at: $1) }
        }
        NameResolver.resolve(place, on: queue) { [weak self] found in
            self?.assumeIsolated { node in
                guard case .success(let addresses) = found, let address = addresses.first else {
                    node.logger.debug("a host was not found", metadata: ["address": "\(target.address)"])
                    return node.change { $0.handle(.dialFailed(target, reason: "name_not_found"), at: $1) }
                }
                StreamDialer.dial(address, on: queue) { [weak node] result in
                    node?.assumeIsolated { $0.dialed(target, result) }
                }
            }
        }
    }

    private func dialed(_ target: DialTarget, _ result: Result<Socket, TransportError>) {
        switch result {
        case .success(let socket): connect(socket, target: target, slot: nil)
        case .failure(let error):
            logger.debug("a dial failed", metadata: ["address": "\(target.address)", "reason": "\(error)"])
            change { $0.handle(.dialFailed(target, reason: error.code), at: $1) }
        }
    }

    /// Where somebody has dialed this node. An address that nobody dials on a peer's word is followed by one that is
    /// dialed: whoever is in between chooses the first.
    private func places(reachedThrough socket: Socket) -> [SocketAddress] {
        guard let local = socket.local else { return [] }
        let loopback = SocketAddress(.loopbackV4, port: local.port)
        let dialed = ([local] + reachableAddresses + [loopback]).first {
            LocalAddress.mayBeDialed($0.description, onWordOfThisHost: true)
        }
        return [local] + [dialed].compactMap(\.self).filter { $0 != local }
    }

    private func connect(_ socket: Socket, target: DialTarget?, slot: HalfOpenSlot?) {
        guard !isStopped else { return }
        let reached = target == nil ? places(reachedThrough: socket).map(Endpoint.init) : []
        let source = LinkSource(ConnectionSource(of: socket.peer, reaching: socket.local))
        let handle = change {
            $0.begin(to: target, at: Endpoint(socket.peer), from: source, reached: reached, moment: $1)
        }
        let node = executor.queue
        // On top of the node's queue: one thread reads a message, commits it and sends what follows from it. On queues
        // that run at the same time each step would wake another thread, which costs more than most steps. What takes
        // long is done elsewhere: see `BatchPreparation`.
        let own = DispatchQueue(label: "moot.peer", qos: .userInitiated, target: node)
        let (preparation, verification) = (BatchPreparation(), ChunkVerification())
        let inboundQueue = inboundQueue
        inboundQueue.open(handle)
        let receive: @Sendable (InboundQueue.Item, Bool) -> Void = { [weak self] item, isAnnounced in
            guard inboundQueue.put(item, from: handle, isAnnounced: isAnnounced) else { return }
            node.async { [weak self] in self?.assumeIsolated { $0.empty(inboundQueue) } }
        }
        let isConnected: @Sendable (PeerIdentity) -> Bool = { [weak self] peer in
            self?.assumeIsolated { $0.core.isConnected(peer.device.id) } ?? false
        }
        let stream = PeerConnection(
            socket: socket, channel: core.makeChannel(to: target), slot: slot, queue: own, partial: partialMessages,
            isConnected: isConnected
        ) { event in
            switch event {
            case .message(let bytes) where bytes.first == PeerMessage.chunkKind:
                inboundQueue.announce(bytes.count, from: handle)
                verification.verify(bytes) { receive(.message($0), true) }
            case .message(let bytes):
                let isLater = preparation.isLater(bytes.count)
                if isLater { inboundQueue.announce(bytes.count, from: handle) }
                preparation.inOrder(isLater: isLater) {
                    receive(.message(preparation.prepare(bytes)), isLater)
                }
            case .established, .congested, .closed:
                preparation.inOrder(isLater: preparation.isLater(0)) { receive(.event(event), false) }
            }
        }
        inboundQueue.onPause(handle) { [weak stream] isPaused in
            if isPaused { stream?.pauseReading() } else { stream?.resumeReading() }
        }
        connections[handle] = Connection(stream: stream, preparation: preparation, verification: verification)
    }

    func handle(_ event: PeerConnection.Event, on handle: PeerHandle) {
        switch event {
        case .established(let identity, let transcript):
            change { $0.handle(.established(identity, transcript: transcript, on: handle), at: $1) }
        case .message(let bytes):
            receive(ReceivedMessage(decoding: bytes), on: handle)
        case .congested(let congestion):
            change { $0.handle(.congested(handle, congestion), at: $1) }
        case .closed(let closure):
            connections[handle] = nil
            inboundQueue.close(handle)
            change { $0.handle(.ended(handle, reason: closure.code, error: closure.channelError), at: $1) }
        }
    }

}

extension LinkSource {
    /// What the transport found, for the limits of the core.
    fileprivate init(_ source: ConnectionSource) {
        self.init(place: source.description, network: source.network.description)
    }
}

extension Endpoint {
    /// The place of a socket.
    init(_ address: SocketAddress) {
        let host =
            switch address.host {
            case .v4: "\(address.host)"
            case .v6: "[\(address.host)]"
            }
        self.init(host: host, port: address.port)
    }
}
