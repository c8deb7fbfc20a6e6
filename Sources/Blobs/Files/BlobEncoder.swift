import Cryptography

/// Makes a blob of a file that is handed over piece by piece, and holds no more of it than its digests.
///
/// The chunks are sealed as they come; once all have come the tree is known, and with it each chunk's proof.
public struct BlobEncoder: Sendable {
    /// The key, drawn for this file alone.
    public let key: BlobKey
    private var leaves: [Digest] = []
    private var length = 0

    /// Begins with a key that sealed nothing yet.
    public init(key: BlobKey) { self.key = key }

    /// Seals the next piece of the file; nil if the file would become longer than ``BlobAddress/maximumLength``.
    ///
    /// - Precondition: every piece before it was ``BlobAddress/chunkByteCount`` bytes long, this one is no longer; only
    ///   that of an empty file is empty.
    public mutating func seal(_ piece: [UInt8]) -> [UInt8]? {
        precondition(length == leaves.count * BlobAddress.chunkByteCount, "nothing follows a short piece")
        precondition(!piece.isEmpty || leaves.isEmpty, "only an empty file has an empty piece")
        guard length + piece.count <= BlobAddress.maximumLength else { return nil }
        let sealed = key.seal(piece, at: leaves.count)
        leaves.append(BlobTree.leaf(sealed[...]))
        length += piece.count
        return sealed
    }

    /// The blob, and the tree from which its chunks get their proofs.
    ///
    /// - Precondition: a piece was sealed.
    public func finish() -> (address: BlobAddress, tree: BlobTree) {
        let tree = BlobTree(leaves: leaves)
        return (BlobAddress(tree: tree, length: length), tree)
    }
}
