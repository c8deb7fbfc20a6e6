import Dispatch
import Logging
import NodeCore
import OperationLog
import Replication
import StreamTransport

extension Node {
    /// The port a node listens on unless told otherwise; another free one if it is taken.
    static let usualPort: UInt16 = 47_470

    /// The addresses peers can dial, for people and programs.
    var listeningAddresses: [String] { listener.map { [$0.address.description] } ?? [] }

    /// The port peers can dial; 0 before ``start()``.
    var listeningPort: UInt16 { listener?.address.port ?? 0 }

    /// Begins to accept connections.
    func listen() throws(NodeError) {
        if let text = configuration.listen {
            guard let address = SocketAddress(text) else {
                throw NodeError(
                    .badConfiguration, "\"\(text)\" is no address to listen on", hint: "Write --listen 0.0.0.0:47470.")
            }
            listener = try makeListener(at: address)
        } else {
            do throws(NodeError) {
                listener = try makeListener(at: SocketAddress(.anyV6, port: Self.usualPort))
            } catch  where error.code == .portInUse {
                listener = try makeListener(at: SocketAddress(.anyV6, port: 0))
            }
        }
    }

    private func makeListener(at address: SocketAddress) throws(NodeError) -> StreamListener {
        do throws(TransportError) {
            return try StreamListener(at: address, queue: executor.queue) { [weak self] event in
                self?.assumeIsolated { $0.handle(event) }
            }
        } catch {
            let code: NodeError.Code =
                switch error {
                case .portInUse: .portInUse
                case .permissionDenied: .permissionDenied
                default: .addressUnavailable
                }
            throw NodeError(code, error.description, hint: error.remedy)
        }
    }

    private func handle(_ event: StreamListener.Event) {
        switch event {
        case .accepted(let socket, let slot):
            connect(socket, target: nil, slot: slot)
        case .turnedAway(let address, let reason):
            turnedAway.count += 1
            // Whoever knocks all the time must not fill the log.
            guard turnedAway.reported.map({ .now - $0 >= .seconds(60) }) ?? true else { return }
            logger.warning(
                "connections were turned away",
                metadata: [
                    "count": "\(turnedAway.count)", "last_from": "\(address.host)", "last_reason": "\(reason)",
                ])
            turnedAway = (0, .now)
        case .paused(let error):
            logger.warning("no connections are accepted for the moment", metadata: ["reason": "\(error)"])
        }
    }

    /// Dials a place.
    func dial(_ target: DialTarget) {
        let queue = executor.queue
        guard let place = try? HostAndPort(target.address) else {
            return change { $0.dialFailed(target, at: $1) }
        }
        NameResolver.resolve(place, on: queue) { [weak self] found in
            self?.assumeIsolated { node in
                guard case .success(let addresses) = found, let address = addresses.first else {
                    return node.change { $0.dialFailed(target, at: $1) }
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
            change { $0.dialFailed(target, at: $1) }
        }
    }

    private func connect(_ socket: Socket, target: DialTarget?, slot: HalfOpenSlot?) {
        guard !isStopped else { return }
        let handle = change { $0.begin(to: target, at: Endpoint(socket.peer), moment: $1) }
        // A queue of its own: decrypting one peer's megabytes delays neither the node nor other peers.
        let own = DispatchQueue(label: "moot.peer", qos: .userInitiated)
        let node = executor.queue
        let (preparation, verification) = (BatchPreparation(), ChunkVerification())
        let intake = intake
        intake.open(handle)
        let receive: @Sendable (Intake.Item, Bool) -> Void = { [weak self] item, isAnnounced in
            guard intake.put(item, from: handle, isAnnounced: isAnnounced) else { return }
            node.async { [weak self] in self?.assumeIsolated { $0.empty(intake) } }
        }
        let stream = PeerConnection(
            socket: socket, channel: core.makeChannel(to: target), slot: slot, queue: own, partial: partialMessages
        ) { event in
            switch event {
            case .message(let bytes) where bytes.first == PeerMessage.chunkKind:
                intake.announce(bytes.count, from: handle)
                verification.verify(bytes) { receive(.message($0), true) }
            case .message(let bytes):
                receive(.message(preparation.prepare(bytes)), false)
            case .established, .congested, .closed:
                receive(.event(event), false)
            }
        }
        intake.onRest(handle) { [weak stream] isResting in
            if isResting { stream?.pauseReading() } else { stream?.resumeReading() }
        }
        connections[handle] = Connection(stream: stream, preparation: preparation, verification: verification)
    }

    /// How long the node looks at what peers sent before it does whatever else waits: the local API, timers, new connections.
    private static let turn: Duration = .milliseconds(5)

    /// Looks at what peers sent, for a moment.
    private func empty(_ intake: Intake) {
        let end = ContinuousClock.now + Self.turn
        while let (handle, item) = intake.next() {
            switch item {
            case .message(let message):
                if let rest = rest(before: message, on: handle) {
                    hold(handle, for: rest, before: item)
                } else {
                    receive(message, on: handle)
                }
            case .event(let event): self.handle(event, on: handle)
            }
            guard ContinuousClock.now < end else {
                return executor.queue.async { [weak self] in self?.assumeIsolated { $0.empty(intake) } }
            }
        }
    }

    /// Counts a batch that was pushed, whatever its sender calls it. What this node asks for has no pace: a newcomer must not wait for hours.
    ///
    /// - Returns: how long the connection rests before the batch is looked at; nil if it is looked at now.
    private func rest(before message: ReceivedMessage, on handle: PeerHandle) -> Duration? {
        guard let (lane, isAnswer) = message.batchLane, let user = core.links[handle]?.identity?.device.user else {
            return nil
        }
        if isAnswer, core.replicator.awaits(lane, from: handle) { return nil }
        return paces.take(message.byteCount, of: user, at: now)
    }

    /// Reads nothing for a while from a connection that pushes faster than the node takes it.
    private func hold(_ handle: PeerHandle, for backoff: Duration, before item: Intake.Item) {
        intake.hold(handle, before: item)
        executor.queue.asyncAfter(deadline: .now() + (backoff / .seconds(1))) { [weak self] in
            self?.assumeIsolated { node in
                if node.intake.release(handle) { node.empty(node.intake) }
            }
        }
    }

    private func handle(_ event: PeerConnection.Event, on handle: PeerHandle) {
        switch event {
        case .established(let identity, let transcript):
            change { $0.established(identity, transcript: transcript, on: handle, at: $1) }
        case .message(let bytes):
            receive(ReceivedMessage(decoding: bytes), on: handle)
        case .congested(let congestion):
            change { $0.congested(handle, congestion, at: $1) }
        case .closed(let closure):
            connections[handle] = nil
            intake.close(handle)
            change {
                $0.ended(
                    handle, reason: closure.code, wasOurselves: closure == .channel(.ourselves), at: $1)
            }
        }
    }

    private func receive(_ message: ReceivedMessage, on handle: PeerHandle) {
        change { $0.receive(message, on: handle, at: $1) }
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
