import Cryptography
import Dispatch
import Foundation
import Logging
import OperationLog
import Replication
import SQLiteStore
import StreamTransport

extension Node {
    /// The port a node listens on unless told otherwise; another free one if it is taken.
    static let usualPort: UInt16 = 47_470

    /// The addresses peers can dial, for people and programs.
    var listeningAddresses: [String] { listener.map { [$0.address.description] } ?? [] }

    /// The port peers can dial; 0 before ``start()``.
    var listeningPort: UInt16 { listener?.address.port ?? 0 }

    /// Devices with an established connection.
    var connectedDevices: Set<DeviceID> { Set(links.values.compactMap { $0.identity?.device.id }) }

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
        replicate(.introduced(card: card.encoded, port: listeningPort))
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
            guard turnedAway.reported.map({ now - $0 >= .seconds(60) }) ?? true else { return }
            logger.warning(
                "connections were turned away",
                metadata: [
                    "count": "\(turnedAway.count)", "last_from": "\(address.host)", "last_reason": "\(reason)",
                ])
            turnedAway = (0, now)
        case .paused(let error):
            logger.warning("no connections are accepted for the moment", metadata: ["reason": "\(error)"])
        }
    }

    /// Dials what is due.
    func dial() {
        let reached = Set(links.values.compactMap { $0.target?.address })
        for target in directory.dials(connected: connectedDevices, reached: reached, at: now) {
            let queue = executor.queue
            guard let place = try? HostAndPort(target.address) else { continue }
            NameResolver.resolve(place, on: queue) { [weak self] found in
                self?.assumeIsolated { node in
                    guard case .success(let addresses) = found, let address = addresses.first else {
                        return node.dialEnded(target, reached: false)
                    }
                    StreamDialer.dial(address, on: queue) { [weak node] result in
                        node?.assumeIsolated { $0.dialled(target, result) }
                    }
                }
            }
        }
    }

    private func dialled(_ target: DialTarget, _ result: Result<Socket, TransportError>) {
        switch result {
        case .success(let socket): connect(socket, target: target, slot: nil)
        case .failure(let error):
            logger.debug("a dial failed", metadata: ["address": "\(target.address)", "reason": "\(error)"])
            dialEnded(target, reached: false)
        }
    }

    private func dialEnded(_ target: DialTarget, reached: Bool) {
        directory.ended(target, reached: reached, at: now, using: &random)
        scheduleWake()
    }

    private func connect(_ socket: Socket, target: DialTarget?, slot: HalfOpenSlot?) {
        guard !isStopped else { return }
        lastHandle += 1
        let handle = PeerHandle(rawValue: lastHandle)
        let channel = SecureChannel(
            role: target == nil ? .responder : .initiator, author: home.author, record: card.identity,
            channelKey: home.channelKey, expecting: target?.device, using: &random)
        // A queue of its own: decrypting one peer's megabytes delays neither the node nor other peers.
        let own = DispatchQueue(label: "moot.peer", qos: .userInitiated)
        let node = executor.queue
        let preparation = BatchPreparation()
        let connection = PeerConnection(socket: socket, channel: channel, slot: slot, queue: own) { [weak self] event in
            guard let self else { return }
            if case .message(let bytes) = event {
                let prepared = preparation.prepare(bytes)
                node.async { self.assumeIsolated { $0.receive(prepared, on: handle) } }
            } else {
                node.async { self.assumeIsolated { $0.handle(event, on: handle) } }
            }
        }
        links[handle] = Link(
            connection: connection, preparation: preparation, isOutgoing: target != nil,
            address: socket.peer.description, target: target,
            since: Clock.now, identity: nil)
    }

    private func handle(_ event: PeerConnection.Event, on handle: PeerHandle) {
        switch event {
        case .established(let identity, let transcript):
            established(identity, transcript: transcript, on: handle)
        case .message(let bytes):
            receive(BatchPreparation.Prepared(message: bytes, batch: nil), on: handle)
        case .congested(let isCongested):
            replicate(.congested(handle, isCongested))
        case .closed(let closure):
            ended(handle, closure)
        }
    }

    private func receive(_ prepared: BatchPreparation.Prepared, on handle: PeerHandle) {
        preparedBatch = prepared.batch
        replicate(.received(handle, prepared.message))
        preparedBatch = nil
    }

    private func established(_ identity: PeerIdentity, transcript: [UInt8], on handle: PeerHandle) {
        guard var link = links[handle] else { return }
        let device = identity.device.id
        guard !directory.isBanned(device, at: now) else { return close(handle) }
        let own = home.author.device.id
        let dialler = { (isOutgoing: Bool) in isOutgoing ? own : device }
        for (other, existing) in links where existing.identity?.device.id == device {
            guard
                ConnectionArbiter.replaces(
                    existingDialler: dialler(existing.isOutgoing), newDialler: dialler(link.isOutgoing))
            else { return close(handle) }
            close(other)
        }
        link.identity = identity
        links[handle] = link
        if contacts.learn(identity.record) { keep(identity.record) }
        contacts[identity.device.user].connections += 1
        contacts[identity.device.user].lastSeen = Clock.now.milliseconds
        logger.info("connected", metadata: ["device": "\(device)", "outgoing": "\(link.isOutgoing)"])
        replicate(
            .connected(handle, identity, transcript: transcript, role: link.isOutgoing ? .initiator : .responder))
        if let peer = peers().first(where: { $0.device == device.description }) {
            events.publish { NodeEvent(id: $0, type: "peer", peer: peer, text: "connected") }
        }
    }

    /// Learns who is behind a connection, and where he can be dialled.
    func introduce(_ handle: PeerHandle, card bytes: [UInt8], port: UInt16) {
        guard let link = links[handle], let identity = link.identity else { return }
        do throws(MalformedBytes) {
            let card = try ProfileCard(verifying: bytes)
            guard card.user == identity.device.user else { throw .invalid(field: "user") }
            if contacts.learn(card) {
                do throws(StoreError) {
                    _ = try store.save(card, seenAt: Clock.now)
                } catch {
                    logger.warning("a person's card could not be kept", metadata: ["error": "\(error)"])
                }
                warnOfNamesake(card)
            }
            publishPerson(card.user)
        } catch {
            logger.warning("a card was refused", metadata: ["reason": "\(error)"])
        }
        if port > 0, let host = SocketAddress(link.address)?.host {
            let address = SocketAddress(host, port: port).description
            directory.learn(address, of: identity.device.id, at: now)
            shareAddress(PeerAddress(device: identity.device.id, address: address), except: handle)
        }
    }

    /// Tells everybody else where a device can be reached, and that device where everybody else can.
    private func shareAddress(_ address: PeerAddress, except handle: PeerHandle) {
        let others = addressBook.filter { $0.key != address.device }.map {
            PeerAddress(device: $0.key, address: $0.value)
        }
        addressBook[address.device] = address.address
        let news = PeerMessage.addresses([address]).encoded
        for (other, link) in links where other != handle && link.identity != nil {
            link.send(news, urgency: .live)
        }
        let known = others.sorted { $0.device < $1.device }.prefix(64)
        links[handle]?.send(PeerMessage.addresses(Array(known)).encoded, urgency: .live)
    }

    private func warnOfNamesake(_ card: ProfileCard) {
        for other in contacts.all where other.user != card.user && other.card?.name == card.name {
            logger.warning("two people have one name", metadata: ["one": "\(card.user)", "other": "\(other.user)"])
            publish(
                type: "warning",
                text:
                    "Two people are called \(card.name): \(card.user) and \(other.user). Check whom you are talking to."
            )
        }
    }

    /// Says goodbye on a connection and forgets it.
    func close(_ handle: PeerHandle) {
        links[handle]?.connection.close()
        ended(handle, .goodbye)
    }

    private func ended(_ handle: PeerHandle, _ closure: PeerClosure) {
        guard let link = links.removeValue(forKey: handle) else { return }
        cursors = cursors.filter { $0.key.peer != handle }
        if link.identity != nil || link.target == nil {
            logger.info("a connection ended", metadata: ["from": "\(link.address)", "reason": "\(closure.code)"])
        }
        if let identity = link.identity {
            let user = identity.device.user
            contacts[user].connections -= 1
            contacts[user].lastSeen = Clock.now.milliseconds
            addressBook[identity.device.id] = nil
            replicate(.disconnected(handle))
            publish(type: "peer", text: "disconnected")
            publishPerson(user)
        }
        if let target = link.target {
            if closure == .channel(.ourselves) { directory.forget(target) }
            dialEnded(target, reached: link.identity != nil)
        }
        scheduleWake()
    }
}
