import Cryptography
import OperationLog

/// Fetches blobs from everybody who has a part of them: decides which chunk is asked of whom. Without sockets, clock or disk.
///
/// Nobody is trusted. A chunk that arrives here was verified by itself, whoever sent it; what somebody says he has decides only whom to
/// ask first. A blob goes through these states:
///
/// ```
///             somebody has a chunk that is lacking               all are here
///   waiting ◄──────────────────────────────────────► fetching ──────────────────► (forgotten)
///      │                                                 │
///      └──────────────► halted (by the user, or by the disk) ◄───┘ resumed: as before, with what is here
/// ```
public struct BlobTransfers: Sendable {
    /// Chunks asked of one peer that have not come: so few that no live message waits behind many, so many that a fast link is full.
    public static let window = 8
    /// How long a chunk may take before another peer is asked for it.
    public static let patience: Duration = .seconds(2)
    /// How long a peer is left alone at most that does not send what it was asked for, or has nothing.
    public static let longestRest: Duration = .seconds(30)

    /// What to do.
    public enum Effect: Hashable, Sendable {
        /// Ask a peer what it has of a blob, and to say when it has more.
        case ask(DeviceID, BlobAddress)
        /// Ask a peer for chunks.
        case request(DeviceID, BlobAddress, [Int])
    }

    /// Why a blob is not fetched.
    public enum Halt: Hashable, Sendable {
        /// The user does not want it.
        case cancelled
        /// It could not be written; it is tried again at this moment.
        case disk(until: Duration)
    }

    /// How a blob is doing.
    public enum State: Hashable, Sendable {
        /// Nobody who is connected has what is lacking.
        case waiting
        /// Chunks are on their way.
        case fetching
        /// It is not fetched now.
        case halted(Halt)
    }

    /// What is known of a peer that may have a part of a blob.
    private struct Holder: Sendable {
        var chunks: ChunkSet
        /// When to ask again what it has; nil where it has all.
        var askAt: Duration?
        /// How many answers in a row brought nothing.
        var fruitless = 0
    }

    private struct Transfer: Sendable {
        var held: ChunkSet
        /// The chunks that were asked for and have not come.
        var asked: ChunkSet
        var halt: Halt?
        var holders: [DeviceID: Holder] = [:]
    }

    private struct Request: Sendable {
        let address: BlobAddress
        let index: Int
    }

    private struct Peer: Sendable {
        var requests: [Request] = []
        /// When it last sent a chunk, or was asked after it had sent all.
        var progress = Duration.zero
        /// How often in a row it let a chunk wait.
        var stalls = 0
        /// Not asked for anything before this moment.
        var rest: Duration?
    }

    private var transfers: [BlobAddress: Transfer] = [:]
    private var order: [BlobAddress] = []
    private var byRoot: [Digest: BlobAddress] = [:]
    private var peers: [DeviceID: Peer] = [:]
    /// Where to begin looking for a chunk to ask for.
    private let seed: UInt64

    /// Begins with nothing to fetch.
    ///
    /// - Parameter seed: another one at every node, so that those who fetch the same blob begin at different places and can help each
    ///   other.
    public init(seed: UInt64) { self.seed = seed }

    /// The blobs that are fetched or wait to be, in the order in which they were wanted.
    public var addresses: [BlobAddress] { order }

    /// The wanted blob of a root.
    public func address(of root: Digest) -> BlobAddress? { byRoot[root] }

    /// How a blob is doing; nil if it is not wanted.
    public func state(of address: BlobAddress) -> State? {
        guard let transfer = transfers[address] else { return nil }
        if let halt = transfer.halt { return .halted(halt) }
        if transfer.asked.count > 0 { return .fetching }
        let isThere = transfer.holders.values.contains {
            $0.chunks.first(from: 0, notIn: transfer.held, transfer.asked) != nil
        }
        return isThere ? .fetching : .waiting
    }

    /// What is here of a blob that is wanted.
    public func held(of address: BlobAddress) -> ChunkSet? { transfers[address]?.held }

    // MARK: - Wanting

    /// Wants a blob of which some chunks are here.
    ///
    /// - Precondition: a chunk is lacking.
    public mutating func want(_ address: BlobAddress, holding held: ChunkSet, halted halt: Halt? = nil) {
        precondition(!held.isWhole, "a whole blob is not fetched")
        // Of one root there is one blob: another length of the same root is a liar's.
        guard byRoot[address.root] == nil else { return }
        byRoot[address.root] = address
        transfers[address] = Transfer(held: held, asked: ChunkSet(of: address), halt: halt)
        order.append(address)
    }

    /// Forgets a blob: nobody names it any more, or it is whole.
    public mutating func forget(_ address: BlobAddress) {
        guard transfers.removeValue(forKey: address) != nil else { return }
        byRoot[address.root] = nil
        order.removeAll { $0 == address }
        for peer in peers.keys { peers[peer]?.requests.removeAll { $0.address == address } }
    }

    /// Stops fetching a blob; what is here stays. Chunks on their way are still taken.
    public mutating func halt(_ address: BlobAddress, _ halt: Halt) {
        guard var transfer = transfers[address] else { return }
        transfer.halt = halt
        transfer.asked = ChunkSet(of: address)
        transfers[address] = transfer
        for peer in peers.keys { peers[peer]?.requests.removeAll { $0.address == address } }
    }

    /// Goes on with a blob.
    public mutating func resume(_ address: BlobAddress, at now: Duration) -> [Effect] {
        transfers[address]?.halt = nil
        for peer in peers.keys { peers[peer]?.rest = nil }
        return plan(at: now)
    }

    // MARK: - Holders

    /// Learns that a connected peer may have a blob, or comes to have it.
    public mutating func meet(_ peer: DeviceID, for address: BlobAddress, at now: Duration) -> [Effect] {
        guard var transfer = transfers[address], transfer.holders[peer] == nil else { return [] }
        if peers[peer] == nil { peers[peer] = Peer() }
        let isHalted = transfer.halt != nil
        transfer.holders[peer] = Holder(
            chunks: ChunkSet(of: address), askAt: isHalted ? now : now + Self.patience * 2)
        transfers[address] = transfer
        return isHalted ? [] : [.ask(peer, address)]
    }

    /// Learns what a peer says it has.
    public mutating func learn(_ chunks: ChunkSet, of address: BlobAddress, from peer: DeviceID, at now: Duration)
        -> [Effect]
    {
        guard let transfer = transfers[address], var holder = transfer.holders[peer] else { return [] }
        holder.fruitless = chunks.count > holder.chunks.count ? 0 : min(holder.fruitless + 1, 5)
        holder.chunks = chunks
        // Who has more later says so; to ask again is for those to whom the operation that names the blob came late.
        holder.askAt = chunks.isWhole ? nil : now + min(Self.longestRest, Self.patience * (1 << holder.fruitless))
        transfers[address]?.holders[peer] = holder
        return plan(for: peer, at: now)
    }

    /// Learns that a peer is gone: others are asked for what it was asked.
    public mutating func lose(_ peer: DeviceID, at now: Duration) -> [Effect] {
        for request in peers[peer]?.requests ?? [] { transfers[request.address]?.asked.remove(request.index) }
        peers[peer] = nil
        for address in order { transfers[address]?.holders[peer] = nil }
        return plan(at: now)
    }

    // MARK: - Chunks

    /// Whether a chunk is to be written down: it belongs to a blob that is wanted, and is lacking.
    public func lacks(_ chunk: BlobChunk) -> Bool {
        transfers[chunk.address].map { !$0.held.contains(chunk.index) } ?? false
    }

    /// Learns that a chunk came from a peer and was written down, or was not needed; asks for the next ones.
    public mutating func take(_ chunk: BlobChunk, from peer: DeviceID, isHeld: Bool, at now: Duration) -> [Effect] {
        peers[peer]?.requests.removeAll { $0.address == chunk.address && $0.index == chunk.index }
        peers[peer]?.progress = now
        peers[peer]?.stalls = 0
        peers[peer]?.rest = nil
        if var transfer = transfers[chunk.address] {
            // Somebody else may still be asked for it: that one's answer is passed over.
            if isHeld { transfer.held.insert(chunk.index) }
            transfer.asked.remove(chunk.index)
            transfers[chunk.address] = transfer
        }
        return plan(for: peer, at: now)
    }

    // MARK: - Time

    /// Asks others for what did not come, and again those who had nothing.
    public mutating func tick(at now: Duration) -> [Effect] {
        var effects: [Effect] = []
        for peer in peers.keys.sorted() {
            guard var state = peers[peer], !state.requests.isEmpty, now - state.progress >= Self.patience else {
                continue
            }
            for request in state.requests { transfers[request.address]?.asked.remove(request.index) }
            state.requests = []
            state.stalls = min(state.stalls + 1, 5)
            state.rest = now + min(Self.longestRest, Self.patience * (1 << state.stalls))
            peers[peer] = state
        }
        for peer in peers.keys where peers[peer]?.rest.map({ $0 <= now }) == true { peers[peer]?.rest = nil }
        for address in order {
            if case .halted(.disk(let end))? = state(of: address), end <= now { transfers[address]?.halt = nil }
            guard let transfer = transfers[address], transfer.halt == nil else { continue }
            for (peer, holder) in transfer.holders.sorted(by: { $0.key < $1.key }) {
                guard let moment = holder.askAt, moment <= now else { continue }
                transfers[address]?.holders[peer]?.askAt = now + Self.longestRest
                effects.append(.ask(peer, address))
            }
        }
        return effects + plan(at: now)
    }

    /// When ``tick(at:)`` is due; nil if nothing is waited for.
    public var nextTick: Duration? {
        var next: [Duration] = []
        for peer in peers.values {
            if !peer.requests.isEmpty { next.append(peer.progress + Self.patience) }
            if let rest = peer.rest { next.append(rest) }
        }
        for transfer in transfers.values {
            switch transfer.halt {
            case .disk(let end): next.append(end)
            case .cancelled: continue
            case nil: next += transfer.holders.values.compactMap(\.askAt)
            }
        }
        return next.min()
    }

    // MARK: - Asking

    private mutating func plan(at now: Duration) -> [Effect] {
        peers.keys.sorted().flatMap { plan(for: $0, at: now) }
    }

    /// Fills a peer's window, once half of it is empty: so chunks are asked for several at a time.
    private mutating func plan(for peer: DeviceID, at now: Duration) -> [Effect] {
        guard var state = peers[peer], state.rest.map({ $0 <= now }) ?? true else { return [] }
        // Who was slow is tried with one chunk.
        let window = state.stalls == 0 ? Self.window : 1
        guard state.requests.count <= window / 2 else { return [] }
        if state.requests.isEmpty { state.progress = now }
        var effects: [Effect] = []
        for address in order where state.requests.count < window {
            guard var transfer = transfers[address], transfer.halt == nil, let holder = transfer.holders[peer] else {
                continue
            }
            let start = Int(seed % UInt64(address.chunkCount))
            var indices: [Int] = []
            while state.requests.count < window,
                let index = holder.chunks.first(from: start, notIn: transfer.held, transfer.asked)
            {
                transfer.asked.insert(index)
                state.requests.append(Request(address: address, index: index))
                indices.append(index)
            }
            transfers[address] = transfer
            if !indices.isEmpty { effects.append(.request(peer, address, indices)) }
        }
        peers[peer] = state
        return effects
    }
}
