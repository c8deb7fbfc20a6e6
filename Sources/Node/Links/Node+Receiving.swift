import Dispatch
import NodeCore
import OperationLog
import Replication
import SQLiteStore
import Storage
import StreamTransport
import Time

/// Looks at what peers sent: in turns, and in groups where much waits.
extension Node {
    /// How long the node looks at what peers sent before it does whatever else waits: the local API, timers, new
    /// connections.
    private static let turn: Duration = .milliseconds(5)
    /// How many messages are made durable with one flush at most: above that the flush is little of what they cost.
    private static let maximumGroup = 32

    /// A message that is being looked at.
    private typealias Received = (handle: PeerHandle, message: ReceivedMessage)

    /// Looks at what peers sent, for a moment.
    func empty(_ inboundQueue: InboundQueue) {
        let end = ContinuousClock.now + Self.turn
        while let (handle, item) = inboundQueue.next() {
            switch item {
            case .message(let message):
                guard mayTake(message, on: handle) else { break }
                if item.joinsGroups, inboundQueue.nextJoinsGroups {
                    receiveTogether((handle, message), and: inboundQueue, until: end)
                } else {
                    receive(message, on: handle)
                }
            case .event(let event): self.handle(event, on: handle)
            }
            guard ContinuousClock.now < end else {
                return executor.queue.async { [weak self] in self?.assumeIsolated { $0.empty(inboundQueue) } }
            }
        }
    }

    func receive(_ message: ReceivedMessage, on handle: PeerHandle) {
        charge(change { Self.hand((handle, message), to: &$0, at: $1) }, for: (handle, message))
    }

    /// Hands a message to the core, and tells it what taking it cost if it brought operations.
    ///
    /// - Returns: that cost; nil if it brought none.
    private static func hand(_ received: Received, to core: inout NodeCore, at moment: Moment) -> Duration? {
        let began = received.message.batchLane == nil ? nil : Clock.threadTime
        core.handle(.received(received.message, on: received.handle), at: moment)
        guard let began else { return nil }
        let cost = Clock.threadTime - began
        core.handle(.spent(cost, on: received.message, from: received.handle), at: moment)
        return cost
    }

    /// Counts against a person what it cost to take content that they wrote and brought. Who passes on what others
    /// wrote does not pay for it.
    private func charge(_ cost: Duration?, for received: Received) {
        guard let cost, let (slot, _) = received.message.batchLane, slot.lane == .content,
            let user = core.links[received.handle]?.identity?.device.user, received.message.isWritten(by: user)
        else { return }
        rateLimits.spend(cost, on: received.message.operationCount, of: user, at: now)
    }

    /// Takes a message and those that wait behind it, and makes what they change durable with one flush.
    ///
    /// Nobody is told of any of them before all are durable. Where that fails the core is what it was before them, and
    /// each is taken by itself: one that cannot be stored stands in nobody's way.
    private func receiveTogether(_ first: Received, and inboundQueue: InboundQueue, until end: ContinuousClock.Instant)
    {
        var received: [Received] = [first]
        var effects: [Effect] = []
        do {
            let before = core
            do throws(StoreError) {
                try store.together {
                    effects += considered(first)
                    while received.count < Self.maximumGroup, ContinuousClock.now < end,
                        let next = inboundQueue.nextOfGroup()
                    {
                        guard mayTake(next.1, on: next.0) else { continue }
                        received.append((next.0, next.1))
                        effects += considered((next.0, next.1))
                    }
                }
            } catch {
                core = before
                effects = []
                for (handle, message) in received { receive(message, on: handle) }
            }
        }
        for effect in Self.tellingOnce(effects) { perform(effect) }
    }

    /// Effects of which only the first tells what is new in a group of people: it tells all that was new at the end, so
    /// a second would repeat it.
    private static func tellingOnce(_ effects: [Effect]) -> [Effect] {
        var told: Set<ConversationID> = []
        return effects.map { effect in
            guard case .show(.committed(let operations, let conversation, .some)) = effect,
                !told.insert(conversation).inserted
            else { return effect }
            return .show(.committed(operations, in: conversation, told: nil))
        }
    }

    /// What the core asks for because of a message.
    private func considered(_ received: Received) -> [Effect] {
        charge(Self.hand(received, to: &core, at: moment), for: received)
        return core.takeEffects()
    }

    /// Whether a message is looked at now; one that came too fast is held back, and looked at later. So is a long batch
    /// behind the message that says what it belongs to: it could not be verified before.
    private func mayTake(_ message: ReceivedMessage, on handle: PeerHandle) -> Bool {
        let isLate = connections[handle]?.preparation.verifyLate(message) { [weak self] verified in
            self?.executor.queue.async { [weak self] in
                self?.assumeIsolated { $0.release(handle, with: .message(verified)) }
            }
        }
        if isLate == true {
            inboundQueue.hold(handle, before: .message(message))
            return false
        }
        guard let rest = rest(before: message, on: handle) else { return true }
        hold(handle, for: rest, before: .message(message))
        return false
    }

    /// Counts a batch that was pushed, whatever its sender calls it. What this node asks for has no pace, since a
    /// newcomer must not wait for hours; but it waits where what the person brought cost too much.
    ///
    /// - Returns: how long the connection rests before the batch is looked at; nil if it is looked at now.
    private func rest(before message: ReceivedMessage, on handle: PeerHandle) -> Duration? {
        guard let (lane, isAnswer) = message.batchLane, let user = core.links[handle]?.identity?.device.user else {
            return nil
        }
        if isAnswer, core.replicator.awaits(lane, from: handle) { return rateLimits.answerWait(of: user, at: now) }
        return rateLimits.take(NodeCore.cost(of: message), of: user, at: now)
    }

    /// Reads nothing for a while from a connection that pushes faster than the node takes it.
    private func hold(_ handle: PeerHandle, for backoff: Duration, before item: InboundQueue.Item) {
        inboundQueue.hold(handle, before: item)
        executor.queue.asyncAfter(deadline: .now() + (backoff / .seconds(1))) { [weak self] in
            self?.assumeIsolated { $0.release(handle) }
        }
    }

    /// Reads on from a connection that rested: what was held back is perhaps known better now.
    private func release(_ handle: PeerHandle, with message: InboundQueue.Item? = nil) {
        if inboundQueue.release(handle, with: message) { empty(inboundQueue) }
    }
}
