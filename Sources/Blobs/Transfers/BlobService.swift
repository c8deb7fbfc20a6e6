import Cryptography
import OperationLog

/// Serves blobs to peers: who may ask for which, what each waits for, and who wants to hear when more is here.
///
/// What is asked for waits as numbers, and is read from the disk when the connection has room: a peer can make this node keep so many numbers,
/// never bytes.
public struct BlobService: Sendable {
    /// Chunks that one peer may wait for.
    public static let queueLimit = 64
    /// Chunks that are read for one peer at a time: so many bytes at most are in memory for it before its connection counts them.
    public static let readLimit = 8
    /// Blobs of which one peer hears. Of whoever asks about more the oldest are forgotten, and he asks again.
    public static let listenerLimit = 4_096

    private struct Peer: Sendable {
        /// What it may ask for, because it showed an operation that names it and is for it; and how much it was told is here.
        var admitted: [Digest: (address: BlobAddress, told: Int)] = [:]
        /// The same in the order in which it asked.
        var order: [Digest] = []
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
        if state.admitted.updateValue((address, count), forKey: address.root) == nil {
            state.order.append(address.root)
        }
        if state.admitted.count > Self.listenerLimit { state.admitted[state.order.removeFirst()] = nil }
        peers[peer] = state
    }

    /// The blob of a root, if a peer may ask for it.
    public func address(_ root: Digest, for peer: DeviceID) -> BlobAddress? {
        peers[peer]?.admitted[root]?.address
    }

    /// Takes a question for chunks; false if the peer waits for too many already.
    public mutating func enqueue(_ indices: [Int], of address: BlobAddress, for peer: DeviceID) -> Bool {
        guard var state = peers[peer] else { return true }
        guard state.queue.count + indices.count <= Self.queueLimit else { return false }
        state.queue += indices.map { (address, $0) }
        peers[peer] = state
        return true
    }

    /// The next chunk to read and send; nil if nothing is asked for, the connection is full, or enough is being read for it.
    public mutating func next(for peer: DeviceID) -> (address: BlobAddress, index: Int)? {
        guard let state = peers[peer], !state.isCongested, state.readCount < Self.readLimit, !state.queue.isEmpty else {
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

    /// Who was told what is here of a blob, and is to be told that it is less: for whoever hears of more, more counts from here.
    public mutating func listeners(to address: BlobAddress) -> [DeviceID] {
        let peers = self.peers.filter { $0.value.admitted[address.root] != nil }.keys.sorted()
        for peer in peers { self.peers[peer]?.admitted[address.root]?.told = 0 }
        return peers
    }

    /// From so many new chunks on others are told: a megabyte.
    private static let step = 16
}
