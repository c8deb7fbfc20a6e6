import Cryptography
import OperationLog

/// A sealed chunk that belongs to a blob: a value of this type was checked against the top of the blob's tree and its
/// length.
///
/// Its encoding is the chunk with its proof. It needs no state to be checked, so the same bytes travel between nodes
/// and are stored on disk.
public struct BlobChunk: Hashable, Sendable {
    /// Bytes of an encoding, at most.
    public static let maximumBytes =
        2 + BlobTree.maximumProofLength * Digest.byteCount + BlobAddress.chunkByteCount + CounterNonceCipher.overhead

    /// The blob.
    public let address: BlobAddress
    /// Its place in the blob, from 0.
    public let index: Int
    /// The bytes as they were encoded or received: index number ‖ neighbors ‖ sealed chunk.
    public let encoded: [UInt8]
    private let sealedStart: Int

    /// Puts a chunk of one's own together with its proof.
    ///
    /// - Precondition: the tree was built over this chunk at this place.
    public init(_ sealed: [UInt8], at index: Int, of address: BlobAddress, in tree: BlobTree) {
        let head = Self.head(at: index, in: tree)
        sealedStart = head.count
        encoded = head + sealed
        self.address = address
        self.index = index
    }

    /// Checks a chunk that somebody sent, or that was on a disk.
    ///
    /// - Throws: ``MalformedBytes``; `invalid` if it is not this blob's.
    /// - Complexity: about 75 µs for a whole chunk.
    public init(verifying encoded: [UInt8], of address: BlobAddress) throws(MalformedBytes) {
        var reader = CanonicalReader(encoded)
        index = try reader.count(of: "chunk", limit: address.chunkCount - 1)
        var proof: [Digest] = []
        for _ in 0..<BlobTree.proofCount(at: index, among: address.chunkCount) { proof.append(try reader.digest()) }
        sealedStart = reader.position
        let sealed = try reader.slice(address.length(ofChunk: index) + CounterNonceCipher.overhead)
        try reader.finish()
        let top = BlobTree.top(of: BlobTree.leaf(sealed), at: index, among: address.chunkCount, proof: proof)
        guard top == address.top else { throw .invalid(field: "chunk") }
        self.address = address
        self.encoded = encoded
    }

    /// Checks a chunk of a blob of which only the root and the length are known: it tells the top of the tree, over
    /// which the root is hashed.
    ///
    /// - Throws: ``MalformedBytes``; `invalid` if it is not this blob's.
    public init(verifying encoded: [UInt8], ofRoot root: Digest, length: Int) throws(MalformedBytes) {
        guard (0...BlobAddress.maximumLength).contains(length) else { throw .invalid(field: "chunk") }
        let count = BlobAddress.chunkCount(ofLength: length)
        var reader = CanonicalReader(encoded)
        let index = try reader.count(of: "chunk", limit: count - 1)
        var proof: [Digest] = []
        for _ in 0..<BlobTree.proofCount(at: index, among: count) { proof.append(try reader.digest()) }
        let sealed = try reader.slice(reader.remaining)
        guard let top = BlobTree.top(of: BlobTree.leaf(sealed), at: index, among: count, proof: proof),
            let address = BlobAddress(top: top, length: length), address.root == root
        else { throw .invalid(field: "chunk") }
        try self.init(verifying: encoded, of: address)
    }

    /// How many bytes are in front of a sealed chunk of a blob.
    public static func headCount(at index: Int, of address: BlobAddress) -> Int {
        var writer = CanonicalWriter(capacity: 10)
        writer.write(count: index)
        return writer.bytes.count + BlobTree.proofCount(at: index, among: address.chunkCount) * Digest.byteCount
    }

    /// What is in front of a sealed chunk: its place and its proof.
    public static func head(at index: Int, in tree: BlobTree) -> [UInt8] {
        var writer = CanonicalWriter(capacity: 10 + BlobTree.maximumProofLength * Digest.byteCount)
        writer.write(count: index)
        for neighbor in tree.proof(of: index) { writer.write(digest: neighbor) }
        return writer.bytes
    }

    /// The sealed chunk.
    public var sealed: [UInt8] { Array(encoded[sealedStart...]) }
}
