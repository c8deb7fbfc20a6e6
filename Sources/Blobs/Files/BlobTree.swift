import Cryptography

/// A hash tree over the sealed chunks of a blob, so that each chunk can be checked by itself.
///
/// Neighbors are hashed together level by level; the last of an odd level goes up as it is. Leaves and nodes have
/// labels of their own, so that no node passes for a leaf (as in RFC 6962, section 2.1, whose trees have the same
/// shape).
public struct BlobTree: Sendable {
    /// Digests that prove one chunk, at most.
    public static let maximumProofLength = Int.bitWidth - (BlobAddress.maximumChunks - 1).leadingZeroBitCount

    /// The leaves first, then level by level, each half as long, up to one digest.
    private let levels: [[Digest]]

    /// Builds a tree.
    ///
    /// - Precondition: there is a leaf.
    /// - Complexity: O(*n*) hashes.
    public init(leaves: [Digest]) {
        precondition(!leaves.isEmpty, "a blob has a chunk")
        var levels = [leaves]
        var level = leaves
        while level.count > 1 {
            level = stride(from: 0, to: level.count, by: 2).map { place in
                place + 1 < level.count ? Self.node(level[place], level[place + 1]) : level[place]
            }
            levels.append(level)
        }
        self.levels = levels
    }

    /// How many leaves there are.
    public var count: Int { levels[0].count }

    var top: Digest { levels[levels.count - 1][0] }

    /// What must be hashed together with a leaf to get to the top: its neighbors, from the leaf up.
    public func proof(of index: Int) -> [Digest] {
        var (place, proof) = (index, [Digest]())
        for level in levels {
            if place ^ 1 < level.count { proof.append(level[place ^ 1]) }
            place /= 2
        }
        return proof
    }

    /// The top of the tree of `count` leaves in which this one has this place and these neighbors; nil if they are too
    /// few or too many.
    static func top(of leaf: Digest, at index: Int, among count: Int, proof: [Digest]) -> Digest? {
        var (digest, place, width, rest) = (leaf, index, count, proof[...])
        while width > 1 {
            if place ^ 1 < width {
                guard let neighbor = rest.popFirst() else { return nil }
                digest = place.isMultiple(of: 2) ? node(digest, neighbor) : node(neighbor, digest)
            }
            (place, width) = (place / 2, (width + 1) / 2)
        }
        return rest.isEmpty ? digest : nil
    }

    /// How many neighbors prove a leaf.
    static func proofCount(at index: Int, among count: Int) -> Int {
        var (place, width, neighbors) = (index, count, 0)
        while width > 1 {
            if place ^ 1 < width { neighbors += 1 }
            (place, width) = (place / 2, (width + 1) / 2)
        }
        return neighbors
    }

    /// The leaf of a sealed chunk.
    ///
    /// - Complexity: about 65 µs for a whole chunk.
    public static func leaf(_ sealed: ArraySlice<UInt8>) -> Digest {
        var hash = Blake2b()
        hash.update(Array("moot/1/blob-leaf".utf8))
        sealed.withUnsafeBytes { hash.update(raw: $0) }
        return hash.finalizeDigest()
    }

    private static func node(_ left: Digest, _ right: Digest) -> Digest {
        Digest.hash("moot/1/blob-node", left.bytes, right.bytes)
    }
}
