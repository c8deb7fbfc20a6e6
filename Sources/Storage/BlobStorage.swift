import Blobs
import Cryptography

/// What a node needs of a disk for files: chunks in a folder in the daemon, memory that can fail in the simulator.
///
/// Nothing it gives back is trusted: a chunk is verified when it is read, so what a crash left half written is not
/// there. Every method is synchronous and does all or nothing.
public protocol BlobStorage: AnyObject {
    /// Bytes that files may take.
    var quota: Int { get }

    /// The roots of the blobs of which anything is here, also of those that nobody names any more.
    func roots() throws(StoreError) -> Set<Digest>

    /// Which chunks of a blob are here.
    ///
    /// - Complexity: for a blob that is not known to be whole, reads and verifies all that is there: about 2 s for a
    ///   GiB.
    func chunks(of address: BlobAddress) throws(StoreError) -> ChunkSet

    /// A chunk; nil if it is not here, or is not what it was.
    func chunk(_ index: Int, of address: BlobAddress) throws(StoreError) -> BlobChunk?

    /// Makes sure that there is room for all of a blob, before any of it is fetched.
    ///
    /// - Throws: `quotaReached`, `diskFull`.
    func reserve(_ address: BlobAddress) throws(StoreError)

    /// Counts of a blob only what is here, until it is reserved again.
    ///
    /// - Parameter count: how many chunks are here.
    func release(_ address: BlobAddress, holding count: Int)

    /// Keeps a chunk.
    func save(_ chunk: BlobChunk) throws(StoreError)

    /// Notes that every chunk of a blob was kept: it survives a loss of power soon.
    func finish(_ address: BlobAddress) throws(StoreError)

    /// Notes that a blob is not whole after all: what is left of it counts chunk by chunk.
    func markIncomplete(_ address: BlobAddress) throws(StoreError)

    /// Removes whatever is here of a blob, and that the user did not want it.
    func remove(_ root: Digest) throws(StoreError)

    /// The roots of the blobs that the user does not want to be fetched.
    func canceled() throws(StoreError) -> Set<Digest>

    /// Keeps whether the user does not want a blob to be fetched.
    func setCanceled(_ isCanceled: Bool, _ root: Digest) throws(StoreError)
}
