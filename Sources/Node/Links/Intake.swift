import NodeCore
import OperationLog
import Replication
import StreamTransport
import Synchronization

/// What peers sent and the node has not looked at yet.
///
/// Of everybody in turn one message is looked at, so whoever sends much makes others wait for one of their messages, not for all. And nobody fills
/// the memory: from whom so much waits, nothing more is read, and TCP slows them down.
final class Intake: Sendable {
    /// Bytes of one connection from which on it rests. Half of it is enough to keep the node busy while more is read.
    static let maximumBytes = 512 * 1024
    /// What each message counts in addition to its bytes: about what it takes in memory.
    static let overhead = 512
    /// What each operation of a batch counts besides its bytes: a verified one takes many times what it took on the way.
    static let operationOverhead = 1_024
    /// What each entry of a decoded list counts besides its bytes, where it takes far more in memory than on the way.
    static let entryOverhead = 64

    /// Something that came on a connection.
    enum Item: Sendable {
        /// A message, and what was verified of it.
        case message(ReceivedMessage)
        /// That the connection began, ended, or is slow.
        case event(PeerConnection.Event)

        var byteCount: Int {
            switch self {
            case .message(let message): message.byteCount + Intake.overhead + Self.overhead(of: message)
            case .event: 0
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
                return batch.operations.count * Intake.operationOverhead
            }
            guard case .message(let said) = message.content else { return 0 }
            return switch said {
            // A number takes a byte or more on the way.
            case .frontier(_, _, _, let numbers): numbers.count * MemoryLayout<UInt64>.stride
            case .chains(_, _, let part): part.chains.count * Intake.entryOverhead
            case .want(_, let chains): chains.count * Intake.entryOverhead
            case .bodies(_, let bodies): bodies.count * Intake.entryOverhead
            case .receipts(_, let receipts): receipts.count * Intake.entryOverhead
            case .hello, .tags, .announce, .status, .chainsRequest, .batch, .done, .credit, .ping, .pong, .addresses,
                .bodiesWanted, .receiptDigest, .receiptVersions, .typing, .proof, .refusal, .blobWanted, .photoWanted,
                .blobHeld, .chunksWanted, .chunk:
                0
            }
        }
    }

    private struct Box {
        var items: [Item] = []
        var first = 0
        /// Bytes that came and were not looked at, those that are still being verified among them.
        var byteCount = 0
        var isResting = false
        /// Whether none of its messages are looked at for now.
        var isHeld = false
        /// Events that came while it was held, or waited behind messages then. They wait for nothing.
        var events: [Item] = []
        /// Told when to stop reading and when to go on, in that order.
        var rest: @Sendable (Bool) -> Void = { _ in }

        /// Whether something of it may be looked at.
        var isReady: Bool { !events.isEmpty || !isHeld && first < items.count }

        mutating func append(_ item: Item) {
            if isHeld, case .event = item { events.append(item) } else { items.append(item) }
        }

        /// Keeps messages back, this one first. Events come out all the same.
        mutating func hold(before message: Item) {
            let waiting = items[first...]
            isHeld = true
            events += waiting.filter(\.isEvent)
            items = [message] + waiting.filter { !$0.isEvent }
            first = 0
            count(message.byteCount)
        }

        /// - Precondition: ``isReady``, which ``Intake`` makes sure of: only who is has a turn.
        mutating func next() -> Item {
            if !events.isEmpty { return events.removeFirst() }
            let item = items[first]
            first += 1
            // Moving the rest forward only when half is used up costs each item O(1).
            if first * 2 > items.count {
                items.removeFirst(first)
                first = 0
            }
            return item
        }

        mutating func count(_ change: Int) {
            byteCount += change
            let shallRest = byteCount >= (isResting ? Intake.maximumBytes / 2 : Intake.maximumBytes)
            guard shallRest != isResting else { return }
            isResting = shallRest
            rest(shallRest)
        }
    }

    private struct State {
        var boxes: [PeerHandle: Box] = [:]
        /// Those of whom something waits, in the order of their turns.
        var turns: [PeerHandle] = []
        var isBeingEmptied = false
    }

    private let state = Mutex(State())

    /// Begins to take in what comes on a connection.
    func open(_ peer: PeerHandle) {
        state.withLock { $0.boxes[peer] = Box() }
    }

    /// Learns how to let a connection rest, true, and go on, false. It must not come back to this value.
    func onRest(_ peer: PeerHandle, _ rest: @escaping @Sendable (Bool) -> Void) {
        state.withLock { state in
            state.boxes[peer]?.rest = rest
            if state.boxes[peer]?.isResting == true { rest(true) }
        }
    }

    /// Forgets a connection and what came on it.
    func close(_ peer: PeerHandle) {
        state.withLock { state in
            state.boxes[peer] = nil
            state.turns.removeAll { $0 == peer }
        }
    }

    /// Counts bytes that came and are queued later.
    func announce(_ byteCount: Int, from peer: PeerHandle) {
        state.withLock { $0.boxes[peer]?.count(byteCount + Self.overhead) }
    }

    /// Puts in what came.
    ///
    /// - Parameter isAnnounced: whether its bytes were counted before.
    /// - Returns: whether somebody must come and empty it.
    func put(_ item: Item, from peer: PeerHandle, isAnnounced: Bool = false) -> Bool {
        state.withLock { state in
            guard state.boxes[peer] != nil else { return false }
            let wasReady = state.boxes[peer]?.isReady == true
            state.boxes[peer]?.append(item)
            if !isAnnounced { state.boxes[peer]?.count(item.byteCount) }
            guard state.boxes[peer]?.isReady == true else { return false }
            if !wasReady { state.turns.append(peer) }
            defer { state.isBeingEmptied = true }
            return !state.isBeingEmptied
        }
    }

    /// Looks at no message of a connection until ``release(_:)``, and then at this one first, which was taken out already. What else happens to
    /// the connection is looked at meanwhile: that it is over must not come late.
    func hold(_ peer: PeerHandle, before message: Item) {
        state.withLock { state in
            state.boxes[peer]?.hold(before: message)
            state.turns.removeAll { $0 == peer }
            if state.boxes[peer]?.isReady == true { state.turns.append(peer) }
        }
    }

    /// Looks at a connection again.
    ///
    /// - Returns: whether somebody must come and empty it.
    func release(_ peer: PeerHandle) -> Bool {
        state.withLock { state in
            guard let box = state.boxes[peer], box.isHeld else { return false }
            state.boxes[peer]?.isHeld = false
            guard state.boxes[peer]?.isReady == true else { return false }
            if !box.isReady { state.turns.append(peer) }
            defer { state.isBeingEmptied = true }
            return !state.isBeingEmptied
        }
    }

    /// Takes out what is to be looked at next; nil when nothing waits.
    func next() -> (PeerHandle, Item)? {
        state.withLock { state in
            guard let peer = state.turns.first, let item = state.boxes[peer]?.next() else {
                state.isBeingEmptied = false
                return nil
            }
            state.turns.removeFirst()
            state.boxes[peer]?.count(-item.byteCount)
            if state.boxes[peer]?.isReady == true { state.turns.append(peer) }
            return (peer, item)
        }
    }
}
