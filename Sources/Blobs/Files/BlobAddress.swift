import Cryptography
import OperationLog

/// What a blob is, as everybody sees it who passes it on: the root of the tree of its sealed chunks.
///
/// The root is hashed over the length and the top of the tree, and whoever names a blob tells these two. So a root has
/// one length, and nobody can make others take an honest chunk for a wrong one by naming its blob with another length:
/// that is another blob, which nobody has.
public struct BlobAddress: Hashable, Comparable, Sendable {
    /// Bytes of a file in one chunk; the last chunk may have less.
    public static let chunkByteCount = 64 * 1024
    /// Bytes of the longest blob.
    public static let maximumLength = 100 * 1024 * 1024
    /// Chunks of the longest blob.
    public static let maximumChunks = maximumLength / chunkByteCount

    /// `H("moot/1/blob-root", length, top)`: what the blob is called.
    public let root: Digest
    /// The top of the tree of its sealed chunks.
    public let top: Digest
    /// Bytes of the file, 0 to ``maximumLength``.
    public let length: Int

    /// Names a blob; nil if the length is beyond its limit.
    public init?(top: Digest, length: Int) {
        guard (0...Self.maximumLength).contains(length) else { return nil }
        self.init(checkedLength: length, top: top)
    }

    private init(checkedLength length: Int, top: Digest) {
        let bytes = withUnsafeBytes(of: UInt64(length).bigEndian) { Array($0) }
        root = Digest.hash("moot/1/blob-root", bytes, top.bytes)
        self.top = top
        self.length = length
    }

    /// Names the blob of a tree.
    ///
    /// - Precondition: the tree has as many leaves as a file of that length has chunks.
    init(tree: BlobTree, length: Int) {
        precondition(tree.count == Self.chunkCount(ofLength: length), "a tree has a leaf for each chunk")
        self.init(checkedLength: length, top: tree.top)
    }

    /// How many chunks there are: at least one, since an empty file has an empty one.
    public var chunkCount: Int { Self.chunkCount(ofLength: length) }

    /// Bytes of the file in a chunk.
    ///
    /// - Precondition: there is such a chunk.
    public func length(ofChunk index: Int) -> Int {
        precondition((0..<chunkCount).contains(index), "a chunk is within its blob")
        return min(Self.chunkByteCount, length - index * Self.chunkByteCount)
    }

    /// How many chunks a file of that length has.
    public static func chunkCount(ofLength length: Int) -> Int {
        max(1, (length + chunkByteCount - 1) / chunkByteCount)
    }

    /// Two addresses of one root are the same.
    public static func == (left: BlobAddress, right: BlobAddress) -> Bool { left.root == right.root }

    /// The root stands for all.
    public func hash(into hasher: inout Hasher) { hasher.combine(root) }

    /// The order of the roots.
    public static func < (left: BlobAddress, right: BlobAddress) -> Bool { left.root < right.root }
}

extension BlobAddress {
    /// Writes the canonical bytes: top ‖ length number.
    public func write(to writer: inout CanonicalWriter) {
        writer.write(digest: top)
        writer.write(count: length)
    }

    /// Reads an address.
    public init(from reader: inout CanonicalReader) throws(MalformedBytes) {
        let top = try reader.digest()
        self.init(checkedLength: try reader.count(of: "blob", limit: Self.maximumLength), top: top)
    }
}
