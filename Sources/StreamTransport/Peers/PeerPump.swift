import Dispatch
import Replication
import Time

/// The part of a peer connection that lives on its queue: it moves messages between the channel, the connection and the
/// handler.
final class PeerPump {
    /// Where a peer connection is in its life.
    private enum Phase {
        /// The peer has not proved who it is yet. Next: open, ended.
        case handshaking
        /// Messages go both ways. Next: leaving, ended.
        case open
        /// Closed here: what waits is sealed and sent; messages that arrive are dropped. Next: parting, ended.
        case leaving
        /// The goodbye was said: the connection sees to its own end. Next: ended.
        case parting
        /// Over.
        case ended
    }

    /// The channel wants moments of a clock that never goes back; any one will do.
    private static let clockStart = ContinuousClock.now

    private var channel: SecureChannel
    private let messages: MessageQueue
    private let partial: PartialMessages
    private let isConnected: @Sendable (PeerIdentity) -> Bool
    /// What this connection is called there.
    private var part: UInt64?
    private var slot: HalfOpenSlot?
    private var handler: (@Sendable (PeerConnection.Event) -> Void)?
    private var connection: StreamConnection?
    private var phase = Phase.handshaking
    private var congestion = Congestion.none
    /// The handshake's deadline, later the goodbye's.
    private var deadline: (any DispatchSourceTimer)?
    private var queue: DispatchQueue?
    /// Keeps a leaving connection alive, whoever else lets go of it.
    private var keptAlive: AnyObject?

    init(
        channel: consuming SecureChannel, slot: HalfOpenSlot?, messages: MessageQueue, partial: PartialMessages,
        isConnected: @escaping @Sendable (PeerIdentity) -> Bool,
        handler: @escaping @Sendable (PeerConnection.Event) -> Void
    ) {
        self.channel = channel
        self.slot = slot
        self.messages = messages
        self.partial = partial
        self.isConnected = isConnected
        self.handler = handler
    }

    deinit {
        deadline?.cancel()
        if let part { partial.remove(part) }
    }

    private static var now: Instant {
        Instant(sinceStart: ContinuousClock.now - clockStart)
    }

    // MARK: Beginning

    /// Begins to count what has come of messages; `forceClose` ends this connection, later.
    func countPartialMessages(forceClose: @escaping @Sendable () -> Void) {
        part = partial.add(forceClose)
    }

    func start(
        _ socket: Socket, on queue: DispatchQueue, events: @escaping @Sendable (StreamConnection.Event) -> Void
    ) {
        guard phase == .handshaking else { return }
        self.queue = queue
        let connection = StreamConnection(socket: socket, queue: queue, handler: events)
        self.connection = connection
        setDeadline(SecureChannel.handshakeDeadline) { $0.end(.channel(.handshakeTimeout)) }
        attempt { pump throws(ChannelError) in
            let first = try pump.channel.start()
            if !first.isEmpty { pump.give(first) }
        }
    }

    func handle(_ event: StreamConnection.Event) {
        switch event {
        case .opened: break
        case .received(let bytes): receive(bytes)
        case .drained: seal()
        case .ended(let error): connectionEnded(error)
        }
    }

    // MARK: Receiving

    private func receive(_ bytes: [UInt8]) {
        switch phase {
        case .handshaking, .open, .leaving: break
        case .parting, .ended: return
        }
        attempt { pump throws(ChannelError) in
            let (reply, events) = try pump.channel.receive(
                bytes, at: Self.now, isConnected: pump.isConnected)
            if !reply.isEmpty { pump.give(reply) }
            if let part = pump.part { pump.partial.note(pump.channel.partialBytes, of: part, isNew: !events.isEmpty) }
            for event in events { pump.handle(event) }
        }
    }

    private func handle(_ event: SecureChannel.Event) {
        switch (event, phase) {
        case (.established(let identity, let transcript), .handshaking):
            phase = .open
            deadline?.cancel()
            deadline = nil
            slot?.release()
            slot = nil
            handler?(.established(identity, transcript: transcript))
            seal()
        case (.message(let message), .open):
            handler?(.message(message))
        case (.closed, .open), (.closed, .leaving):
            // In good order: what we said last still goes out.
            connection?.close()
            end(.goodbye)
        case (.message, _), (.established, _), (.closed, _):
            break
        }
    }

    func pauseReading() {
        connection?.pauseReading()
    }

    func resumeReading() {
        connection?.resumeReading()
    }

    // MARK: Sending

    /// Seals as much as the connection has room for, live messages first.
    func seal() {
        switch phase {
        case .open, .leaving: break
        case .handshaking, .parting, .ended: return
        }
        for entry in messages.takeAll() {
            let before = (all: channel.queuedBytes, live: channel.queuedLiveBytes)
            channel.enqueue(entry.message, urgency: entry.urgency)
            // Without the words that went before it weighs less than when it was counted.
            messages.moved(
                entry, weighing: channel.queuedBytes - before.all, live: channel.queuedLiveBytes - before.live)
        }
        var isEmpty = false
        attempt { pump throws(ChannelError) in
            while let connection = pump.connection, connection.queuedByteCount < StreamConnection.lowWater {
                let before = (all: pump.channel.queuedBytes, live: pump.channel.queuedLiveBytes)
                let frames = try pump.channel.nextFrames(upTo: StreamConnection.lowWater, at: Self.now)
                isEmpty = frames.isEmpty
                guard !isEmpty else { break }
                pump.messages.sealed(
                    before.all - pump.channel.queuedBytes, live: before.live - pump.channel.queuedLiveBytes)
                pump.give(frames)
            }
        }
        reportCongestion()
        if phase == .leaving, isEmpty { sendClose() }
    }

    private func reportCongestion() {
        guard phase == .open else { return }
        let congestionNow = messages.congestion(after: congestion)
        guard congestionNow != congestion else { return }
        congestion = congestionNow
        handler?(.congested(congestionNow))
    }

    /// Hands sealed bytes to the connection.
    private func give(_ bytes: [UInt8]) {
        do throws(TransportError) {
            try connection?.send(bytes)
        } catch {
            // The connection's own end follows as an event and says why it takes no more.
            switch error {
            case .closed: break
            default: end(.transport(error))
            }
        }
    }

    // MARK: Ending

    /// Sends what waits, says goodbye, and ends.
    func close(keeping pump: AnyObject) {
        switch phase {
        case .open:
            phase = .leaving
            keptAlive = pump
            // A paused connection would not hear the peer leave.
            connection?.resumeReading()
            setDeadline(StreamConnection.closeTimeout) { $0.end(.transport(.timedOut)) }
            seal()
        case .handshaking:
            end(.aborted)
        case .leaving, .parting, .ended:
            break
        }
    }

    func abort() {
        end(.aborted)
    }

    private func sendClose() {
        phase = .parting
        attempt { pump throws(ChannelError) in
            pump.give(try pump.channel.close())
            // It has a deadline of its own.
            pump.deadline?.cancel()
            pump.connection?.close()
        }
    }

    private func connectionEnded(_ error: TransportError?) {
        if let error { return end(.transport(error)) }
        do throws(ChannelError) {
            try channel.finish()
            end(.goodbye)
        } catch {
            end(.channel(error))
        }
    }

    /// Runs a step of the channel; what it throws is the end.
    private func attempt(_ step: (PeerPump) throws(ChannelError) -> Void) {
        do throws(ChannelError) {
            try step(self)
        } catch {
            end(.channel(error))
        }
    }

    private func end(_ closure: PeerClosure) {
        guard phase != .ended else { return }
        phase = .ended
        deadline?.cancel()
        deadline = nil
        slot?.release()
        slot = nil
        messages.discard()
        if let part { partial.remove(part) }
        part = nil
        if closure != .goodbye { connection?.abort() }
        connection = nil
        let handler = self.handler
        self.handler = nil
        handler?(.closed(closure))
        keptAlive = nil
    }

    private func setDeadline(_ span: Duration, then act: @escaping (PeerPump) -> Void) {
        deadline?.cancel()
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler { [weak self] in
            guard let self else { return }
            act(self)
        }
        timer.schedule(deadline: .now() + span.dispatchInterval)
        timer.activate()
        deadline = timer
    }
}
