import Cryptography
import OperationLog
import Time

/// Fetches blobs from everybody who has a part of them: decides which chunk is asked of whom. Without sockets, clock or
/// disk.
///
/// Nobody is trusted. A chunk that arrives here was verified by itself, whoever sent it; what somebody says they have
/// decides only whom to ask first. A blob goes through these states:
///
/// ```
///             somebody has a chunk that is lacking               all are here
///   waiting ◄──────────────────────────────────────► fetching ──────────────────► (forgotten)
///      │                                                 │
///      └──────────────► halted (by the user, or by the disk) ◄───┘ resumed: as before, with what is here
/// ```
public struct BlobTransfers: Sendable {
    /// Chunks asked of one peer that have not come: so few that little waits in memory, so many that a fast link stays
    /// full while either side waits for its disk.
    public static let window = 16
    /// The same before it has sent one, over all devices of its person: whoever only says that they have it holds up
    /// little.
    public static let firstWindow = 4
    /// How long a peer may send nothing that it was asked for, before others who have it are asked as well. Where many
    /// send at the same time, or the link is slow, it is longer, up to ``timeout``: who is only slow is not asked in
    /// vain.
    public static let leastTimeout: Duration = .milliseconds(500)
    /// How long a single chunk may take before others are asked for it as well who have nothing else to send.
    public static let secondChunkTimeout: Duration = .seconds(2)
    /// How long a peer may send nothing that it was asked for, before it is left alone for a while.
    public static let timeout: Duration = .seconds(2)
    /// How long a single chunk may take, whatever else comes from that peer meanwhile.
    public static let chunkTimeout: Duration = .seconds(32)
    /// How long a peer is left alone that does not send what it was asked for.
    public static let stallBackoff = Backoff(from: timeout * 2, to: .seconds(30))
    /// How long a peer is left alone that was asked what it has of a blob, and had no news.
    public static let silenceBackoff = Backoff(from: timeout * 2, to: .seconds(300))
    /// How long to wait after a chunk could not be written.
    public static let diskBackoff = Backoff(from: .seconds(5), to: .seconds(60))
    /// About how many blobs a peer is asked about within a second, in turn by who named them.
    public static let asksPerSecond = 64
    /// Chunks that a peer was asked for and has not sent that are remembered, so that they are taken when they come
    /// late.
    private static let maximumGrants = 256

    /// What to do.
    public enum Effect: Hashable, Sendable {
        /// Ask a peer what it has of a blob, and to say when it has more; how often it was asked in vain before.
        case ask(DeviceID, BlobAddress, attempt: Int)
        /// Ask a peer for chunks.
        case request(DeviceID, BlobAddress, [Int])
    }

    /// Why a blob is not fetched.
    public enum Halt: Hashable, Sendable {
        /// The user does not want it.
        case canceled
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

    private var transfers: [BlobAddress: Transfer] = [:]
    /// The wanted blobs in the order in which they were wanted, and some that are not wanted any more.
    private var order: [BlobAddress] = []
    private var byRoot: [Digest: BlobAddress] = [:]
    private var peers: [DeviceID: Peer] = [:]
    /// Whose devices are asked first.
    private var turns = PersonTurns()
    /// The time between two chunks that came while any were asked for, smoothed, and when the last came.
    private var pace: (interval: Duration, last: Duration) = (.zero, .zero)
    /// Where to begin looking for a chunk to ask for.
    private let seed: UInt64
    /// No later than the next moment at which there is something to do; nil if there is none.
    private var due: Duration?

    /// Begins with nothing to fetch.
    ///
    /// - Parameter seed: another one at every node, so that those who fetch the same blob begin at different places and
    ///   can help each other.
    public init(seed: UInt64) { self.seed = seed }

    /// The blobs that are fetched or wait to be, in the order in which they were wanted.
    public var addresses: [BlobAddress] { order.filter { transfers[$0] != nil } }

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
        guard transfers[address] == nil else { return }
        // It may be there from before it was forgotten.
        if order.count > transfers.count { order.removeAll { $0 == address } }
        transfers[address] = Transfer(held: held, asked: ChunkSet(of: address), halt: halt)
        byRoot[address.root] = address
        order.append(address)
    }

    /// Notes who named a wanted blob: it is fetched in the turn of each of them. Where there are more than before,
    /// peers are asked about it again: they may know only what these wrote.
    public mutating func note(namers: Set<UserID>, of address: BlobAddress, at now: Duration) {
        guard let transfer = transfers[address], !namers.isSubset(of: transfer.namers) else { return }
        transfers[address]?.namers = namers
        for (peer, holder) in transfer.holders where holder.askAt != nil {
            transfers[address]?.holders[peer]?.askAt = now
            plan(tickAt: now)
        }
    }

    /// Forgets a blob: nobody names it any more, or it is whole.
    public mutating func forget(_ address: BlobAddress) {
        guard transfers.removeValue(forKey: address) != nil else { return }
        byRoot[address.root] = nil
        for peer in peers.keys {
            peers[peer]?.offered.remove(address)
            peers[peer]?.drop { $0.address == address }
        }
        // Now and then, so that many blobs do not cost each other.
        if order.count > 2 * transfers.count + 64 { order = addresses }
    }

    /// Stops fetching a blob because the user does not want it; what is here stays. Chunks on their way are still
    /// taken.
    public mutating func cancel(_ address: BlobAddress) { halt(address, .canceled) }

    /// Stops fetching a blob for a while because it could not be written, longer with every time in a row, and asks for
    /// others; one that the user does not want stays that.
    public mutating func fail(_ address: BlobAddress, at now: Duration) -> [Effect] {
        guard let transfer = transfers[address], transfer.halt != .canceled else { return [] }
        let backoff = Self.diskBackoff.rest(after: transfer.failures + 1)
        transfers[address]?.failures += 1
        halt(address, .disk(until: now + backoff))
        plan(tickAt: now + backoff)
        return plan(at: now)
    }

    private mutating func halt(_ address: BlobAddress, _ halt: Halt) {
        guard transfers[address] != nil else { return }
        transfers[address]?.halt = halt
        transfers[address]?.asked = ChunkSet(of: address)
        for peer in peers.keys { peers[peer]?.drop { $0.address == address } }
    }

    /// Goes on with blobs.
    public mutating func resume(_ addresses: [BlobAddress], at now: Duration) -> [Effect] {
        for address in addresses {
            guard let transfer = transfers[address] else { continue }
            transfers[address]?.halt = nil
            for peer in transfer.holders.keys {
                peers[peer]?.backoffEnd = nil
                transfers[address]?.holders[peer]?.askAt = now
                transfers[address]?.holders[peer]?.failedAttempts = 0
            }
        }
        return tick(at: now)
    }

    // MARK: - Holders

    /// Learns that a connected peer may have a blob, or comes to have it.
    ///
    /// - Parameter user: whose device it is.
    public mutating func meet(
        _ peer: DeviceID, of user: UserID, for address: BlobAddress, at now: Duration
    ) -> [Effect] {
        guard let transfer = transfers[address], transfer.holders[peer] == nil else { return [] }
        if peers[peer] == nil { peers[peer] = Peer(user: user) }
        transfers[address]?.holders[peer] = Holder(chunks: ChunkSet(of: address), askAt: now)
        return transfer.halt == nil ? ask(peer, about: address, at: now) : []
    }

    /// Learns what a peer says it has.
    public mutating func learn(_ chunks: ChunkSet, of address: BlobAddress, from peer: DeviceID, at now: Duration)
        -> [Effect]
    {
        guard let transfer = transfers[address], var holder = transfer.holders[peer] else { return [] }
        // A peer that gets more says so with every megabyte: the rest is asked for, soon where there was news.
        if chunks.count > holder.chunks.count {
            holder.failedAttempts = 0
            holder.askAt = now + Self.timeout * 2
        }
        holder.chunks = chunks
        if chunks.isWhole { holder.askAt = nil }
        if let moment = holder.askAt { plan(tickAt: moment) }
        transfers[address]?.holders[peer] = holder
        if chunks.count > 0, peers[peer]?.offered.insert(address).inserted == true {
            peers[peer]?.offers.append(address)
        }
        // What it turns out not to have is asked of others.
        let missing = (peers[peer]?.requests ?? []).map(\.piece)
            .filter { $0.address == address && !chunks.contains($0.index) }
        guard missing.isEmpty else {
            peers[peer]?.drop(where: missing.contains)
            for piece in missing { release(piece) }
            return plan(at: now)
        }
        return chunks.count > 0 ? plan(for: peer, at: now) : []
    }

    /// The wanted blobs of which a peer said that it has something, and some of which it has nothing more to give.
    public func offers(of peer: DeviceID) -> Set<BlobAddress> { peers[peer]?.offered ?? [] }

    /// Learns that a peer is gone: others are asked for what it was asked.
    public mutating func lose(_ peer: DeviceID, at now: Duration) -> [Effect] {
        let requests = peers.removeValue(forKey: peer)?.requests ?? []
        for request in requests { release(request.piece) }
        for address in order { transfers[address]?.holders[peer] = nil }
        return plan(at: now)
    }

    // MARK: - Chunks

    /// Whether a peer was asked for chunks of a blob that have not come: whatever else it sends is not worth a look.
    public func isAsked(_ peer: DeviceID, for address: BlobAddress) -> Bool {
        peers[peer]?.granted.contains { $0.address == address } ?? false
    }

    /// Whether a chunk from a peer is to be written down: the peer was asked for it, and it is lacking.
    public func lacks(_ chunk: BlobChunk, from peer: DeviceID) -> Bool {
        guard let transfer = transfers[chunk.address], !transfer.held.contains(chunk.index) else { return false }
        return peers[peer]?.granted.contains(Piece(address: chunk.address, index: chunk.index)) ?? false
    }

    /// Learns that a chunk came from a peer and was written down, or was not to be; asks for the next ones.
    ///
    /// Only one that was asked for counts as progress, or a peer could be asked forever by sending what is here.
    public mutating func take(_ chunk: BlobChunk, from peer: DeviceID, isHeld: Bool, at now: Duration) -> [Effect] {
        let piece = Piece(address: chunk.address, index: chunk.index)
        peers[peer]?.granted.remove(piece)
        if peers[peer]?.requests.contains(where: { $0.piece == piece }) == true {
            peers[peer]?.drop { $0 == piece }
            peers[peer]?.progress = now
            peers[peer]?.stalls = 0
            peers[peer]?.backoffEnd = nil
            peers[peer]?.isLate = false
        }
        if isHeld {
            // What others brought meanwhile says nothing of this one.
            peers[peer]?.hasBrought = true
            if let user = peers[peer]?.user { turns.bring(user) }
            pace.interval = (pace.interval * 3 + min(now - pace.last, Self.leastTimeout)) / 4
            pace.last = now
            // Somebody else may still be asked for it: that one's answer is passed over.
            transfers[chunk.address]?.held.insert(chunk.index)
            transfers[chunk.address]?.asked.remove(chunk.index)
            transfers[chunk.address]?.failures = 0
        }
        return plan(for: peer, at: now)
    }

    // MARK: - Time

    /// Asks others for what did not come, and again those who had nothing.
    public mutating func tick(at now: Duration) -> [Effect] {
        askOthers(at: now)
        for peer in peers.keys {
            if let end = peers[peer]?.backoffEnd, end <= now { peers[peer]?.backoffEnd = nil }
            peers[peer]?.renewQueries(at: now)
            guard let state = peers[peer], !state.requests.isEmpty else { continue }
            let isStalled = now - state.progress >= Self.timeout
            let late = state.requests.filter { isStalled || now - $0.since >= Self.chunkTimeout }
            guard !late.isEmpty else { continue }
            if isStalled {
                peers[peer]?.stalls = min(state.stalls + 1, 5)
                peers[peer]?.backoffEnd = now + Self.stallBackoff.rest(after: state.stalls + 1)
            }
            giveUp(late.map(\.piece), of: peer, until: peers[peer]?.backoffEnd ?? now + Self.stallBackoff.longest)
        }
        // Many blobs that nobody has must not keep one from being found: of what one person named comes first what was
        // asked for in vain least often, and of people each has a turn.
        var asks: [(holder: Holder, namer: UserID?, peer: DeviceID, address: BlobAddress)] = []
        for address in order {
            if case .disk(let end)? = transfers[address]?.halt, end <= now { transfers[address]?.halt = nil }
            guard let transfer = transfers[address], transfer.halt == nil else { continue }
            for (peer, holder) in transfer.holders {
                guard isDue(holder, at: now) else { continue }
                for namer in transfer.namers { asks.append((holder, namer, peer, address)) }
                if transfer.namers.isEmpty { asks.append((holder, nil, peer, address)) }
            }
        }
        asks.sort { ($0.holder.failedAttempts, $0.peer, $0.address) < ($1.holder.failedAttempts, $1.peer, $1.address) }
        asks = inTurn(asks) { Turn(peer: $0.peer, namer: $0.namer) }
        let effects = asks.flatMap { turn in
            let isStillDue = transfers[turn.address]?.holders[turn.peer].map { isDue($0, at: now) } ?? false
            return isStillDue ? ask(turn.peer, about: turn.address, at: now) : []
        }
        due = nextMoment(after: now)
        return effects + plan(at: now)
    }

    /// How long a peer may send nothing before others are asked as well: longer where chunks come slowly, as
    /// everybody's do then.
    private var answerTimeout: Duration {
        let active = peers.values.count { !$0.requests.isEmpty }
        return min(Self.timeout, max(Self.leastTimeout, pace.interval * (4 * active)))
    }

    /// Lets others be asked, too, for what peers were asked for that send nothing: where another person has it. What
    /// comes late is taken.
    private mutating func askOthers(at now: Duration) {
        let answerTimeout = answerTimeout
        for peer in peers.keys.sorted() {
            guard let state = peers[peer], !state.isLate, !state.requests.isEmpty, now - state.progress >= answerTimeout
            else { continue }
            let pieces = state.requests.map(\.piece).filter { isHeldBySomebody(otherThan: state.user, $0) }
            guard !pieces.isEmpty else { continue }
            peers[peer]?.isLate = true
            turns.miss(state.user)
            for piece in pieces { transfers[piece.address]?.asked.remove(piece.index) }
        }
    }

    /// Whether a person whose turns were not in vain says that they have a chunk.
    private func isHeldBySomebody(otherThan user: UserID, _ piece: Piece) -> Bool {
        transfers[piece.address]?.holders.contains { other, holder in
            guard holder.chunks.contains(piece.index), let person = peers[other]?.user else { return false }
            return person != user && !turns.isVain(person)
        } ?? false
    }

    /// Notes that a peer is not asked for a chunk any more: others are, unless one is already.
    private mutating func release(_ piece: Piece) {
        guard !peers.values.contains(where: { $0.requests.contains { $0.piece == piece } }) else { return }
        transfers[piece.address]?.asked.remove(piece.index)
    }

    /// Gives up what a peer was asked for: it is asked what it has, before it is tried again.
    private mutating func giveUp(_ pieces: [Piece], of peer: DeviceID, until end: Duration) {
        for piece in pieces {
            peers[peer]?.drop { $0 == piece }
            release(piece)
            transfers[piece.address]?.holders[peer]?.chunks.remove(piece.index)
            transfers[piece.address]?.holders[peer]?.askAt = end
        }
        plan(tickAt: end)
    }

    /// No later than when ``tick(at:)`` is due; nil if nothing is waited for.
    public var nextTick: Duration? { due }

    private mutating func plan(tickAt moment: Duration) { due = due.map { min($0, moment) } ?? moment }

    /// - Complexity: O(blobs × peers), so it is asked in a tick only.
    private func nextMoment(after now: Duration) -> Duration? {
        var next: [Duration] = []
        let answerTimeout = answerTimeout
        for peer in peers.values {
            if !peer.requests.isEmpty {
                next.append(peer.progress + Self.timeout)
                let moments = [peer.progress + answerTimeout] + peer.requests.map { $0.since + Self.secondChunkTimeout }
                next += moments.filter { $0 > now }
            }
            if let first = peer.requests.map(\.since).min() { next.append(first + Self.chunkTimeout) }
            if let end = peer.backoffEnd { next.append(end) }
        }
        for transfer in transfers.values {
            switch transfer.halt {
            case .disk(let end): next.append(end)
            case .canceled: continue
            case nil:
                for (peer, holder) in transfer.holders {
                    // With all that becomes due meanwhile: a tick goes over all blobs.
                    guard let moment = holder.askAt, let state = peers[peer] else { continue }
                    next.append(max(moment, state.queriesRenewed))
                }
            }
        }
        return next.min()
    }

    // MARK: - Asking

    private func isDue(_ holder: Holder, at now: Duration) -> Bool { holder.askAt.map { $0 <= now } ?? false }

    /// Asks a peer what it has of a blob, unless it was asked about many just now: then in its turn.
    private mutating func ask(_ peer: DeviceID, about address: BlobAddress, at now: Duration) -> [Effect] {
        guard var state = peers[peer] else { return [] }
        defer { peers[peer] = state }
        guard state.queriesLeft > 0 else {
            plan(tickAt: state.queriesRenewed)
            return []
        }
        state.queriesLeft -= 1
        let failedAttempts = transfers[address]?.holders[peer]?.failedAttempts ?? 0
        let again = now + Self.silenceBackoff.rest(after: failedAttempts + 1)
        transfers[address]?.holders[peer]?.failedAttempts = failedAttempts + 1
        transfers[address]?.holders[peer]?.askAt = again
        plan(tickAt: again)
        return [.ask(peer, address, attempt: failedAttempts)]
    }

    /// Asks for as much as the peers' windows have room for: in turn by person.
    public mutating func plan(at now: Duration) -> [Effect] {
        var rounds: [UserID: Int] = [:]
        var places: [(place: PersonTurns.Place, peer: DeviceID)] = []
        for (peer, state) in peers.sorted(by: {
            ($0.value.hasBrought ? 0 : 1, $0.key) < ($1.value.hasBrought ? 0 : 1, $1.key)
        }) {
            let round = rounds[state.user, default: 0]
            places.append(
                (turns.place(of: state.user, hasShown: state.hasBrought, turnsInRound: round), peer))
            rounds[state.user] = round + 1
        }
        places.sort { ($0.place, $0.peer) < ($1.place, $1.peer) }
        return places.flatMap { plan(for: $0.peer, at: now) }
    }

    /// How many chunks a peer may be asked for at a time.
    private func window(of peer: DeviceID, _ state: Peer) -> Int {
        // Who was slow is tried with one chunk, and so are the other devices of their person.
        if state.stalls > 0 { return 1 }
        let isVain = turns.isVain(state.user)
        guard isVain || !state.hasBrought else { return Self.window }
        let elsewhere = peers.reduce(0) { count, other in
            other.key != peer && other.value.user == state.user ? count + other.value.requests.count : count
        }
        return max(0, (isVain ? 1 : Self.firstWindow) - elsewhere)
    }

    /// Fills a peer's window, once half of it is empty: so chunks are asked for several at a time.
    private mutating func plan(for peer: DeviceID, at now: Duration) -> [Effect] {
        guard var state = peers[peer], state.backoffEnd.map({ $0 <= now }) ?? true else { return [] }
        let window = window(of: peer, state)
        guard state.requests.count <= window / 2, window > 0 else { return [] }
        let wasIdle = state.requests.isEmpty
        if wasIdle { (state.progress, state.isLate) = (now, false) }
        var effects = fill(window, of: peer, &state, at: now)
        if state.requests.isEmpty, !turns.isVain(state.user) {
            for piece in lateChunks(for: peer, state, at: now).prefix(window) {
                state.ask(for: piece, at: now)
                effects.append(.request(peer, piece.address, [piece.index]))
            }
        }
        if state.granted.count > Self.maximumGrants { state.granted = Set(state.requests.map(\.piece)) }
        peers[peer] = state
        if !state.requests.isEmpty {
            if wasIdle { turns.begin(state.user) }
            let isEarly = state.progress + Self.leastTimeout > now
            plan(tickAt: state.progress + (isEarly ? Self.leastTimeout : Self.timeout))
        }
        return effects
    }

    /// Asks a peer for chunks that are lacking, in turn by who named their blobs, until a window is full.
    ///
    /// - Complexity: O(*n*) in the blobs of which it has something that is lacking.
    private mutating func fill(_ window: Int, of peer: DeviceID, _ state: inout Peer, at now: Duration) -> [Effect] {
        var (turns, indices, order) = (namers(of: peer, &state), [BlobAddress: [Int]](), [BlobAddress]())
        while !turns.isEmpty {
            var going: [(namer: UserID?, blobs: ArraySlice<BlobAddress>)] = []
            for var turn in turns where state.requests.count < window {
                guard let piece = lackingPiece(of: &turn.blobs, at: peer, state) else { continue }
                state.ask(for: piece, at: now)
                state.lastNamer = turn.namer
                if indices[piece.address] == nil { order.append(piece.address) }
                indices[piece.address, default: []].append(piece.index)
                going.append(turn)
            }
            turns = going
        }
        return order.map { .request(peer, $0, indices[$0] ?? []) }
    }

    /// Who named the blobs of which a peer has something that is lacking, and those, beginning after whose turn was
    /// last.
    private func namers(
        of peer: DeviceID, _ state: inout Peer
    ) -> [(namer: UserID?, blobs: ArraySlice<BlobAddress>)] {
        var blobs: [UserID?: [BlobAddress]] = [:]
        for address in state.offers where state.offered.contains(address) {
            guard let transfer = transfers[address], let holder = transfer.holders[peer],
                holder.chunks.first(from: 0, notIn: transfer.held, ChunkSet(of: address)) != nil
            else {
                state.offered.remove(address)
                continue
            }
            guard transfer.halt == nil else { continue }
            for namer in transfer.namers { blobs[namer, default: []].append(address) }
            if transfer.namers.isEmpty { blobs[nil, default: []].append(address) }
        }
        if state.offers.count > 2 * state.offered.count + 64 { state.offers.removeAll { !state.offered.contains($0) } }
        let known = blobs.keys.compactMap { $0 }.sorted()
        let start = state.lastNamer.flatMap { last in known.firstIndex { $0 > last } } ?? 0
        let inTurn: [UserID?] = [nil] + (known[start...] + known[..<start]).map(Optional.some)
        return inTurn.compactMap { namer in blobs[namer].map { (namer, $0[...]) } }
    }

    /// The first chunk of some blobs that a peer has and that was asked of nobody; it counts as asked for.
    private mutating func lackingPiece(
        of blobs: inout ArraySlice<BlobAddress>, at peer: DeviceID, _ state: Peer
    ) -> Piece? {
        while let address = blobs.first {
            let start = Int(seed % UInt64(address.chunkCount))
            while let transfer = transfers[address],
                let index = transfer.holders[peer]?.chunks.first(from: start, notIn: transfer.held, transfer.asked)
            {
                let piece = Piece(address: address, index: index)
                transfers[address]?.asked.insert(index)
                if !state.requests.contains(where: { $0.piece == piece }) { return piece }
            }
            blobs.removeFirst()
        }
        return nil
    }

    /// The chunks that other people have kept waiting for long, and that a peer with nothing else to send has; longest
    /// first.
    ///
    /// So they come although somebody sends one chunk after the other, slowly; and only who has nothing else to do is
    /// asked for what another one is, too.
    private func lateChunks(for peer: DeviceID, _ state: Peer, at now: Duration) -> [Piece] {
        let late = peers.values.filter { $0.user != state.user }.flatMap(\.requests)
            .filter { request in
                guard now - request.since >= Self.secondChunkTimeout, let transfer = transfers[request.piece.address]
                else {
                    return false
                }
                return transfer.halt == nil && !transfer.held.contains(request.piece.index)
                    && transfer.holders[peer]?.chunks.contains(request.piece.index) == true
            }
            .sorted { ($0.since, $0.piece.address, $0.piece.index) < ($1.since, $1.piece.address, $1.piece.index) }
        // Who was asked for it last decides: not everybody who is idle is asked at once.
        let recent = Set(
            peers.values.flatMap(\.requests).filter { now - $0.since < Self.secondChunkTimeout }.map(\.piece))
        var seen: Set<Piece> = []
        return late.map(\.piece).filter { !recent.contains($0) && seen.insert($0).inserted }
    }
}
