import Cryptography
import OperationLog

/// Serves blobs to peers: who may ask for which, what each waits for, and who wants to hear when more is here.
///
/// What is asked for waits as numbers, and is read from the disk when the connection has room: a peer can make this
/// node keep so many numbers, never bytes.
public struct BlobService: Sendable {
    /// Chunks that one peer may wait for.
    public static let maximumQueued = 64
    /// Chunks that are read for one peer at a time: so many bytes at most are in memory for it before its connection
    /// counts them.
    public static let maximumReads = 8
    /// The largest number of blobs about which one peer is notified. If a peer asks about more, the oldest ones are
    /// forgotten, and the peer asks again.
    public static let maximumListeners = 4_096

    private struct Peer: Sendable {
        /// What it may ask for, because it showed something that names it and is for it; how much it was told is here,
        /// and when it was last asked about or for.
        var admitted: [Digest: (address: BlobAddress, told: Int, used: Int)] = [:]
        var uses = 0
        var queue: [(address: BlobAddress, index: Int)] = []
        /// Chunks that are being read for it.
        var readCount = 0
        var isCongested = false
    }

    private var peers: [DeviceID: Peer] = [:]

    /// Begins without peers.
    public init() {}

    /// Lets a peer ask for a blob, and notes how many chunks it is told are here.
    public mutating func admit(_ peer: DeviceID, to address: BlobAddress, told count: Int) {
        var state = peers.removeValue(forKey: peer) ?? Peer()
        state.uses += 1
        state.admitted[address.root] = (address, count, state.uses)
        if state.admitted.count > Self.maximumListeners {
            // Many at once, so that it costs little for each.
            let oldest = state.admitted.sorted { $0.value.used < $1.value.used }.prefix(Self.maximumListeners / 4)
            for (root, _) in oldest { state.admitted[root] = nil }
        }
        peers[peer] = state
    }

    /// The blob of a root, if a peer may ask for it, which it does.
    public mutating func address(_ root: Digest, for peer: DeviceID) -> BlobAddress? {
        guard let found = peers[peer]?.admitted[root], let uses = peers[peer]?.uses else { return nil }
        peers[peer]?.uses = uses + 1
        peers[peer]?.admitted[root]?.used = uses + 1
        return found.address
    }

    /// Takes a question for chunks, as far as the peer does not wait for too many: for the rest it asks again.
    public mutating func enqueue(_ indices: [Int], of address: BlobAddress, for peer: DeviceID) {
        let room = Self.maximumQueued - (peers[peer]?.queue.count ?? Self.maximumQueued)
        peers[peer]?.queue += indices.prefix(room).map { (address, $0) }
    }

    /// The next chunk to read and send; nil if nothing is asked for, the connection is full, or enough is being read
    /// for it.
    ///
    /// - Parameter limit: chunks that are read for the peer at a time.
    public mutating func next(
        for peer: DeviceID, reading limit: Int = maximumReads
    ) -> (address: BlobAddress, index: Int)? {
        guard let state = peers[peer], !state.isCongested, state.readCount < limit, !state.queue.isEmpty else {
            return nil
        }
        peers[peer]?.readCount += 1
        return peers[peer]?.queue.removeFirst()
    }

    /// Notes that a chunk was read for a peer, and is on its connection now or was not there.
    public mutating func read(for peer: DeviceID) {
        if let count = peers[peer]?.readCount, count > 0 { peers[peer]?.readCount = count - 1 }
    }

    /// Notes that a connection is full, or has room again.
    public mutating func note(isCongested: Bool, of peer: DeviceID) {
        peers[peer, default: Peer()].isCongested = isCongested
    }

    /// Forgets a peer.
    public mutating func lose(_ peer: DeviceID) { peers[peer] = nil }

    /// Who is to be told that so many chunks are here now: everybody who asked and has heard of noticeably fewer.
    public mutating func listeners(to address: BlobAddress, now chunks: ChunkSet) -> [DeviceID] {
        let step = chunks.isWhole ? 1 : Self.step
        let due = peers.keys.filter { peer in
            peers[peer]?.admitted[address.root].map { chunks.count - $0.told >= step } ?? false
        }
        for peer in due { peers[peer]?.admitted[address.root]?.told = chunks.count }
        return due.sorted()
    }

    /// Who was told what is here of a blob, and is to be told that it is less: for whoever hears of more, more counts
    /// from here.
    public mutating func listeners(to address: BlobAddress) -> [DeviceID] {
        let peers = self.peers.filter { $0.value.admitted[address.root] != nil }.keys.sorted()
        for peer in peers { self.peers[peer]?.admitted[address.root]?.told = 0 }
        return peers
    }

    /// From so many new chunks on others are told: a megabyte.
    private static let step = 16
}
