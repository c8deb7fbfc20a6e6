import Cryptography
import OperationLog

/// What a blob is, as everybody sees it who passes it on: the root of the tree of its sealed chunks.
///
/// The length is hashed into the root, so a blob has one length only. It stands beside the root because whoever checks a chunk must know the
/// shape of the tree first.
public struct BlobAddress: Hashable, Comparable, Sendable {
    /// Bytes of a file in one chunk; the last chunk may have less.
    public static let chunk = 64 * 1024
    /// Bytes of the longest blob.
    public static let lengthLimit = 100 * 1024 * 1024
    /// Chunks of the longest blob.
    public static let chunkLimit = lengthLimit / chunk

    /// `H("moot/1/blob-root", length, top of the tree)`.
    public let root: Digest
    /// Bytes of the file, 0 to ``lengthLimit``.
    public let length: Int

    /// Names a blob; nil if the length is beyond its limit.
    public init?(root: Digest, length: Int) {
        guard (0...Self.lengthLimit).contains(length) else { return nil }
        self.root = root
        self.length = length
    }

    /// Names the blob of a tree.
    ///
    /// - Precondition: the tree has as many leaves as a file of that length has chunks.
    init(tree: BlobTree, length: Int) {
        precondition(tree.count == Self.chunkCount(ofLength: length), "a tree has a leaf for each chunk")
        root = Self.root(top: tree.top, length: length)
        self.length = length
    }

    /// How many chunks there are: at least one, since an empty file has an empty one.
    public var chunkCount: Int { Self.chunkCount(ofLength: length) }

    /// Bytes of the file in a chunk.
    ///
    /// - Precondition: there is such a chunk.
    public func length(ofChunk index: Int) -> Int {
        precondition((0..<chunkCount).contains(index), "a chunk stands within its blob")
        return min(Self.chunk, length - index * Self.chunk)
    }

    /// How many chunks a file of that length has.
    public static func chunkCount(ofLength length: Int) -> Int { max(1, (length + chunk - 1) / chunk) }

    static func root(top: Digest, length: Int) -> Digest {
        let bytes = withUnsafeBytes(of: UInt64(length).bigEndian) { Array($0) }
        return Digest.hash("moot/1/blob-root", bytes, top.bytes)
    }

    /// The order of the roots.
    public static func < (left: BlobAddress, right: BlobAddress) -> Bool {
        (left.root, left.length) < (right.root, right.length)
    }
}

extension BlobAddress {
    /// Writes the canonical bytes: root ‖ length number.
    public func write(to writer: inout CanonicalWriter) {
        writer.write(digest: root)
        writer.write(count: length)
    }

    /// Reads an address.
    public init(from reader: inout CanonicalReader) throws(MalformedBytes) {
        root = try reader.digest()
        length = try reader.count(of: "blob", limit: Self.lengthLimit)
    }
}
