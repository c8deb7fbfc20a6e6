import NodeCore
import OperationLog
import Replication
import StreamTransport
import Synchronization

/// What peers sent and the node has not looked at yet.
///
/// Connections take turns, one message each. A peer that sends much delays the others by one message, not by all of
/// them. Memory is bounded: a connection with too many waiting bytes is not read from, so that TCP slows its sender
/// down.
final class InboundQueue: Sendable {
    /// Bytes of one connection from which on it rests. Half of it is enough to keep the node busy while more is read.
    static let maximumBytes = 512 * 1024
    /// What each message counts in addition to its bytes: about what it takes in memory.
    static let overhead = 512
    /// What each operation of a batch counts besides its bytes: a verified one takes many times what it took on the
    /// way.
    static let operationOverhead = 1_024

    /// Something that came on a connection.
    enum Item: Sendable {
        /// A message, and what was verified of it.
        case message(ReceivedMessage)
        /// That the connection began, ended, or is slow.
        case event(PeerConnection.Event)

        var byteCount: Int {
            switch self {
            case .message(let message): message.byteCount + InboundQueue.overhead + Self.overhead(of: message)
            case .event: 0
            }
        }

        /// What was counted of it when it was announced, before it was decoded.
        fileprivate var announcedByteCount: Int {
            switch self {
            case .message(let message): message.byteCount + InboundQueue.overhead
            case .event: 0
            }
        }

        /// Whether it may be looked at together with others. A chunk goes to a file, which no transaction takes back.
        var joinsGroups: Bool {
            switch self {
            case .message(let message): message.chunkRoot == nil
            case .event: false
            }
        }

        /// Whether it is something else than a message.
        var isEvent: Bool {
            switch self {
            case .message: false
            case .event: true
            }
        }

        private static func overhead(of message: ReceivedMessage) -> Int {
            if case .batch(.success(let batch))? = message.verified {
                return batch.operations.count * InboundQueue.operationOverhead
            }
            return message.weight
        }
    }

    private struct PeerQueue {
        var items: [Item] = []
        /// The place in `items` of the next one.
        var position = 0
        /// Bytes that came and were not looked at, those that are still being verified among them.
        var byteCount = 0
        var isPaused = false
        /// Whether none of its messages are looked at for now.
        var isHeld = false
        /// Events that came while it was held, or waited behind messages then. They wait for nothing.
        var events: [Item] = []
        /// Told when to stop reading and when to go on, in that order.
        var rest: @Sendable (Bool) -> Void = { _ in }

        /// What ``next()`` takes out; nil if nothing may be looked at.
        var first: Item? {
            events.first ?? (isHeld || position >= items.count ? nil : items[position])
        }

        /// Whether something of it may be looked at.
        var isReady: Bool { first != nil }

        mutating func append(_ item: Item) {
            if isHeld, case .event = item { events.append(item) } else { items.append(item) }
        }

        /// Keeps messages back, this one first. Events come out all the same.
        mutating func hold(before message: Item) {
            let waiting = items[position...]
            isHeld = true
            events += waiting.filter(\.isEvent)
            items = [message] + waiting.filter { !$0.isEvent }
            position = 0
            count(message.byteCount)
        }

        /// Keeps messages back no more.
        mutating func release(with message: Item?) {
            isHeld = false
            guard let message else { return }
            count(message.byteCount - items[position].byteCount)
            items[position] = message
        }

        /// - Precondition: ``isReady``. ``InboundQueue`` gives a turn only to connections that are ready.
        mutating func next() -> Item {
            if !events.isEmpty { return events.removeFirst() }
            let item = items[position]
            position += 1
            // Moving the rest forward only when half is used up costs each item O(1).
            if position * 2 > items.count {
                items.removeFirst(position)
                position = 0
            }
            return item
        }

        mutating func count(_ change: Int) {
            byteCount += change
            let shallPause = byteCount >= (isPaused ? InboundQueue.maximumBytes / 2 : InboundQueue.maximumBytes)
            guard shallPause != isPaused else { return }
            isPaused = shallPause
            rest(shallPause)
        }
    }

    private struct State {
        var peerQueues: [PeerHandle: PeerQueue] = [:]
        /// Those of whom something waits, in the order of their turns.
        var turns: [PeerHandle] = []
        var isBeingEmptied = false

        /// Whether the connection whose turn it is has a message first that joins groups.
        var nextJoinsGroups: Bool {
            turns.first.flatMap { peerQueues[$0]?.first }?.joinsGroups ?? false
        }

        /// Takes out the first of the connection whose turn it is.
        mutating func next() -> (PeerHandle, Item)? {
            guard let peer = turns.first, let item = peerQueues[peer]?.next() else { return nil }
            turns.removeFirst()
            peerQueues[peer]?.count(-item.byteCount)
            if peerQueues[peer]?.isReady == true { turns.append(peer) }
            return (peer, item)
        }
    }

    private let state = Mutex(State())

    /// Begins to take in what comes on a connection.
    func open(_ peer: PeerHandle) {
        state.withLock { $0.peerQueues[peer] = PeerQueue() }
    }

    /// Sets the closure that pauses (true) and resumes (false) reading from a connection. The closure must not call
    /// this value.
    func onPause(_ peer: PeerHandle, _ rest: @escaping @Sendable (Bool) -> Void) {
        state.withLock { state in
            state.peerQueues[peer]?.rest = rest
            if state.peerQueues[peer]?.isPaused == true { rest(true) }
        }
    }

    /// Forgets a connection and what came on it.
    func close(_ peer: PeerHandle) {
        state.withLock { state in
            state.peerQueues[peer] = nil
            state.turns.removeAll { $0 == peer }
        }
    }

    /// Counts bytes that came and are queued later.
    func announce(_ byteCount: Int, from peer: PeerHandle) {
        state.withLock { $0.peerQueues[peer]?.count(byteCount + Self.overhead) }
    }

    /// Puts in what came.
    ///
    /// - Parameter isAnnounced: whether its bytes were counted before.
    /// - Returns: whether somebody must come and empty it.
    func put(_ item: Item, from peer: PeerHandle, isAnnounced: Bool = false) -> Bool {
        state.withLock { state in
            guard state.peerQueues[peer] != nil else { return false }
            let wasReady = state.peerQueues[peer]?.isReady == true
            state.peerQueues[peer]?.append(item)
            state.peerQueues[peer]?.count(isAnnounced ? item.byteCount - item.announcedByteCount : item.byteCount)
            guard state.peerQueues[peer]?.isReady == true else { return false }
            if !wasReady { state.turns.append(peer) }
            defer { state.isBeingEmptied = true }
            return !state.isBeingEmptied
        }
    }

    /// Looks at no message of a connection until ``release(_:)``, and then at this one first, which was taken out
    /// already. What else happens to the connection is looked at meanwhile: that it is over must not come late.
    func hold(_ peer: PeerHandle, before message: Item) {
        state.withLock { state in
            state.peerQueues[peer]?.hold(before: message)
            state.turns.removeAll { $0 == peer }
            if state.peerQueues[peer]?.isReady == true { state.turns.append(peer) }
        }
    }

    /// Looks at a connection again.
    ///
    /// - Parameter message: the one that was held back, as it is now; nil if it is what it was.
    /// - Returns: whether somebody must come and empty it.
    func release(_ peer: PeerHandle, with message: Item? = nil) -> Bool {
        state.withLock { state in
            guard let box = state.peerQueues[peer], box.isHeld else { return false }
            state.peerQueues[peer]?.release(with: message)
            guard state.peerQueues[peer]?.isReady == true else { return false }
            if !box.isReady { state.turns.append(peer) }
            defer { state.isBeingEmptied = true }
            return !state.isBeingEmptied
        }
    }

    /// Takes out what is to be looked at next; nil when nothing waits.
    func next() -> (PeerHandle, Item)? {
        state.withLock { state in
            let next = state.next()
            if next == nil { state.isBeingEmptied = false }
            return next
        }
    }

    /// Takes out what is to be looked at next if that is a message that joins groups; nil if it is something else, or
    /// nothing waits.
    func nextOfGroup() -> (PeerHandle, ReceivedMessage)? {
        state.withLock { state in
            guard state.nextJoinsGroups, case (let peer, .message(let message))? = state.next() else { return nil }
            return (peer, message)
        }
    }

    /// Whether what is to be looked at next is a message that joins groups.
    var nextJoinsGroups: Bool { state.withLock { $0.nextJoinsGroups } }
}
