import NodeCore
import OperationLog
import Replication
import Time

extension World {
    /// How long the other side has for its part of the handshake, in microseconds.
    private static let handshakeTime = 3_000_000
    /// How long a dial waits for an answer, in microseconds.
    private static let dialTime = 3_000_000
    /// Waiting bytes from which, and below which, a connection is congested or no longer; smaller than the daemon's, so
    /// that it happens.
    private static let congestion = (highWater: 64 * 1024, lowWater: 16 * 1024)

    private func delay() -> Int {
        guard network.slowness > 0, now >= plan.writingBegins * 1_000 else {
            return Int.random(in: network.latency, using: &random)
        }
        return Int.random(in: network.latency.lowerBound...network.slowness * 1_000, using: &random)
    }

    // MARK: - Beacons

    func post(_ beacon: [UInt8], from host: Host, to other: Int) {
        guard Double.random(in: 0..<1, using: &random) >= network.beaconLoss else { return }
        events.add(.beacon(beacon, from: host.index, to: other), at: now + delay())
        if Double.random(in: 0..<1, using: &random) < network.beaconDoubling {
            events.add(.beacon(beacon, from: host.index, to: other), at: now + delay())
        }
    }

    // MARK: - Beginning

    func dial(_ target: DialTarget, from host: Host) {
        guard let other = Host.index(at: target.address, among: hosts.count), other != host.index,
            network.isOpen(from: host.index, to: other, at: now)
        else {
            events.add(.dialFails(host: host.index, life: host.life, target), at: now + Self.dialTime)
            return
        }
        events.add(.dial(from: host.index, life: host.life, target), at: now + delay())
    }

    func dialFails(_ host: Host, life: Int, _ target: DialTarget, _ event: Event) {
        guard host.life == life, !postpone(event, for: host) else { return }
        host.dialed.remove(target.address)
        change(host) { $0.handle(.dialFailed(target), at: $1) }
    }

    func dialArrives(from index: Int, life: Int, _ target: DialTarget) {
        let host = hosts[index]
        guard host.life == life, host.core != nil, let other = Host.index(at: target.address, among: hosts.count) else {
            return
        }
        host.dialed.remove(target.address)
        let acceptor = hosts[other]
        guard network.isOpen(from: other, to: index, at: now), acceptor.state != .off else {
            events.add(.dialFails(host: index, life: life, target), at: now + Self.dialTime)
            return
        }
        guard acceptor.core != nil else {
            events.add(.dialFails(host: index, life: life, target), at: now + delay())
            return
        }
        let place = Endpoint(host: host.endpoint.host, port: UInt16(50_000 + lastWire % 10_000))
        guard let dialer = end(of: host, to: target, at: acceptor.endpoint),
            let accepted = end(of: acceptor, to: nil, at: place)
        else { return }
        begin(dialer, accepted)
        tally.count("connection")
    }

    /// A host's end of a connection that begins; nil if it has no power, or loses it.
    func end(of host: Host, to target: DialTarget?, at place: Endpoint) -> Wire.End? {
        guard let handle = change(host, { $0.begin(to: target, at: place, moment: $1) }),
            let channel = host.core?.makeChannel(to: target)
        else { return nil }
        return Wire.End(host: host.index, life: host.life, handle: handle, channel: channel)
    }

    /// Connects two ends and lets the dialer speak.
    func begin(_ dialer: Wire.End, _ acceptor: Wire.End) {
        lastWire += 1
        let wire = Wire(id: lastWire, dialer: dialer, acceptor: acceptor)
        wires[wire.id] = wire
        for end in 0...1 {
            let side = Wire.Side(wire: wire.id, end: end)
            if let owner = wire.ends[end], let handle = owner.handle { hosts[owner.host].ends[handle] = side }
            events.add(.handshakeDeadline(side), at: now + Self.handshakeTime)
        }
        let side = Wire.Side(wire: wire.id, end: 0)
        do throws(ChannelError) {
            if let first = try wire.ends[0]?.channel.start() { transmit(first, on: side) }
        } catch {
            forceClose(side, reason: error.code)
        }
    }

    // MARK: - Sending

    func send(_ message: [UInt8], _ urgency: SecureChannel.Urgency, on side: Wire.Side) {
        guard let end = wires[side.wire]?.ends[side.end], end.channel.isOpen else { return }
        let queued = end.channel.queuedBytes
        end.channel.enqueue(message, urgency: urgency)
        let byteCount = max(0, end.channel.queuedBytes - queued - SecureChannel.messageOverhead)
        // A file costs what it weighs.
        if message.first != PeerMessage.chunkKind { tally.sentBytes += byteCount }
        tally.messages += 1
        tally.messagesByKind.count(message, byteCount: byteCount)
        seal(side)
    }

    /// Seals as much as the way has room for.
    private func seal(_ side: Wire.Side) {
        guard let wire = wires[side.wire], let end = wire.ends[side.end] else { return }
        let moment = hosts[end.host].moment(at: now).monotonic
        do throws(ChannelError) {
            while wire.pipes[side.end].byteCount < Wire.window {
                let frames = try end.channel.nextFrames(upTo: Wire.window / 2, at: moment)
                if frames.isEmpty { break }
                transmit(frames, on: side)
            }
        } catch {
            return forceClose(side, reason: error.code)
        }
        reportCongestion(on: side)
    }

    private func reportCongestion(on side: Wire.Side) {
        guard let end = wires[side.wire]?.ends[side.end], let handle = end.handle else { return }
        let congestion = Congestion(
            queued: end.channel.queuedBytes, live: end.channel.queuedLiveBytes, highWater: Self.congestion.highWater,
            lowWater: Self.congestion.lowWater, before: end.congestion)
        guard congestion != end.congestion else { return }
        end.congestion = congestion
        // Not at once: other effects of the same transition come first.
        events.add(.congestion(side, handle, congestion), at: now)
    }

    private func transmit(_ bytes: [UInt8], on side: Wire.Side) {
        guard Double.random(in: 0..<1, using: &random) < network.splitting, bytes.count > 1 else {
            return transmit(.bytes(bytes), on: side)
        }
        let cut = Int.random(in: 1..<bytes.count, using: &random)
        transmit(.bytes(Array(bytes[..<cut])), on: side)
        transmit(.bytes(Array(bytes[cut...])), on: side)
    }

    func transmit(_ piece: Wire.Piece, on side: Wire.Side) {
        guard let wire = wires[side.wire] else { return }
        if case .bytes(let bytes) = piece { wire.pipes[side.end].byteCount += bytes.count }
        wire.pipes[side.end].pieces.append(piece)
        let arrival = max(wire.pipes[side.end].lastArrival, now + delay())
        wire.pipes[side.end].lastArrival = arrival
        events.add(.arrival(side.other), at: arrival)
    }

    // MARK: - Acknowledging

    /// Tells a node which of the peers that owe it an answer are on hosts that are there, as the daemon learns from the
    /// kernel.
    func noteAcknowledgments(by host: Host) {
        let overdue = host.core?.replicator.overduePeers(at: host.moment(at: now).monotonic) ?? []
        for peer in overdue where isAcknowledged(peer, of: host) {
            change(host) { $0.handle(.acknowledged(peer), at: $1) }
        }
    }

    /// Whether the other host's kernel acknowledges what is sent on a connection. It does so too where its process has
    /// no time.
    private func isAcknowledged(_ peer: PeerHandle, of host: Host) -> Bool {
        guard let side = host.ends[peer], let wire = wires[side.wire], let end = wire.ends[side.other.end] else {
            return false
        }
        let other = hosts[end.host]
        return other.core != nil && other.life == end.life
            && network.isOpen(from: host.index, to: other.index, at: now)
            && network.isOpen(from: other.index, to: host.index, at: now)
            && wire.pipes.allSatisfy { $0.stalledUntil <= now }
    }

    // MARK: - Arriving

    /// Something has come to an end of a wire.
    func arrive(at side: Wire.Side) {
        let sender = side.other
        guard let wire = wires[side.wire], !wire.pipes[sender.end].pieces.isEmpty else { return }
        let receiver = hosts[wire.hosts[side.end]]
        let open = max(
            network.passage(from: wire.hosts[sender.end], to: receiver.index, at: now),
            wire.pipes[sender.end].stalledUntil, wire.ends[side.end] == nil ? now : receiver.frozenUntil)
        guard open <= now else {
            events.add(.arrival(side), at: open)
            return
        }
        guard isRead(side, by: receiver) else {
            // Whoever sends faster than the node works waits, and fills no memory.
            events.add(.arrival(side), at: max(receiver.inbox.busyUntil, now + 1_000))
            return
        }
        let piece = wire.pipes[sender.end].pieces.removeFirst()
        if case .bytes(let bytes) = piece { wire.pipes[sender.end].byteCount -= bytes.count }
        guard wire.ends[side.end] != nil else {
            if case .bytes = piece, receiver.state != .off { transmit(.reset, on: side) }
            return discardIfOver(wire)
        }
        switch piece {
        case .bytes(let bytes):
            trace.mix(bytes.count)
            trace.mix(bytes.suffix(8))
            wire.ends[side.end]?.heard = now
            receive(bytes, on: side, of: receiver)
        case .finish: ended(side, reason: "truncated")
        case .reset: ended(side, reason: "connection_lost")
        }
        if wires[side.wire] != nil { seal(sender) }
    }

    private func receive(_ bytes: [UInt8], on side: Wire.Side, of host: Host) {
        guard let end = wires[side.wire]?.ends[side.end], let handle = end.handle else {
            return receiveAsRogue(bytes, on: side)
        }
        let events: [SecureChannel.Event]
        do throws(ChannelError) {
            let result = try end.channel.receive(bytes, at: host.moment(at: now).monotonic) { peer in
                host.core?.isConnected(peer.device.id) ?? false
            }
            if !result.reply.isEmpty { transmit(result.reply, on: side) }
            events = result.events
        } catch {
            checker.channelFailed(error, on: side, in: self)
            return forceClose(side, reason: error.code, error: error)
        }
        for event in events {
            guard wires[side.wire]?.ends[side.end] != nil else { return }
            switch event {
            case .established(let identity, let transcript):
                end.isEstablished = true
                end.heard = now
                checker.established(identity, on: side, in: self)
                change(host) { $0.handle(.established(identity, transcript: transcript, on: handle), at: $1) }
            case .message(let message):
                take(message, on: side, handle, by: host)
            case .closed:
                ended(side, reason: "goodbye")
            }
        }
    }

    /// Hands a message to a node.
    func deliver(_ message: [UInt8], on side: Wire.Side, _ handle: PeerHandle, to host: Host) {
        let before = checker.expectation(of: message, from: sender(of: side), to: host)
        let typing = checker.typingExpectation(of: message, on: side, to: host, in: self)
        change(host) { $0.handle(.received(ReceivedMessage(decoding: message), on: handle), at: $1) }
        checker.received(before, by: host, in: self)
        checker.overheard(typing, by: host, in: self)
    }

    private func sender(of side: Wire.Side) -> Host? {
        wires[side.wire].map { hosts[$0.hosts[side.other.end]] }
    }

    /// Lets everything through that was held up.
    func release(_ wire: Wire) {
        for end in wire.pipes.indices {
            wire.pipes[end].stalledUntil = now
            let receiver = Wire.Side(wire: wire.id, end: 1 - end)
            for _ in wire.pipes[end].pieces { events.add(.arrival(receiver), at: now) }
        }
    }

    // MARK: - Ending

    /// Sends what waits, says goodbye, and ends; the core has forgotten the connection already.
    func close(_ side: Wire.Side) {
        guard let wire = wires[side.wire], let end = wire.ends[side.end] else { return }
        let moment = hosts[end.host].moment(at: now).monotonic
        do throws(ChannelError) {
            if end.channel.isOpen {
                let rest = try end.channel.nextFrames(upTo: .max, at: moment)
                if !rest.isEmpty { transmit(rest, on: side) }
                transmit(.bytes(try end.channel.close()), on: side)
            }
            transmit(.finish, on: side)
        } catch {
            transmit(.reset, on: side)
        }
        forget(side)
    }

    /// Drops a connection at once.
    func forceClose(_ side: Wire.Side, reason: String, error: ChannelError? = nil) {
        transmit(.reset, on: side)
        ended(side, reason: reason, error: error)
    }

    private func ended(_ side: Wire.Side, reason: String, error: ChannelError? = nil) {
        guard let end = wires[side.wire]?.ends[side.end] else { return }
        forget(side)
        if let handle = end.handle {
            change(hosts[end.host]) { $0.handle(.ended(handle, reason: reason, error: error), at: $1) }
        }
    }

    private func forget(_ side: Wire.Side) {
        guard let wire = wires[side.wire], let end = wire.ends[side.end] else { return }
        wire.ends[side.end] = nil
        if let handle = end.handle, hosts[end.host].ends[handle] == side { hosts[end.host].ends[handle] = nil }
        discardIfOver(wire)
    }

    private func discardIfOver(_ wire: Wire) {
        let isOver = wire.ends.allSatisfy { $0 == nil } && wire.pipes.allSatisfy(\.pieces.isEmpty)
        if isOver { wires[wire.id] = nil }
    }
}
