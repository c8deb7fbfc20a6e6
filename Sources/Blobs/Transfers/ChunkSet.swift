import OperationLog

/// Which chunks of a blob somebody has.
public struct ChunkSet: Hashable, Sendable {
    /// Bytes of an encoding, at most.
    public static let maximumBytes = (BlobAddress.maximumChunks + 7) / 8

    /// How many chunks the blob has.
    public let capacity: Int
    /// How many are in the set.
    public private(set) var count = 0
    private var bits: [UInt8]

    /// None of a blob's chunks.
    public init(of address: BlobAddress) {
        capacity = address.chunkCount
        bits = Array(repeating: 0, count: (capacity + 7) / 8)
    }

    /// All of a blob's chunks.
    public static func whole(_ address: BlobAddress) -> ChunkSet {
        var chunks = ChunkSet(of: address)
        for index in 0..<chunks.capacity { chunks.insert(index) }
        return chunks
    }

    /// Whether no chunk is lacking.
    public var isWhole: Bool { count == capacity }

    /// Bytes of the chunks in the set, as long as the last one is counted as a full one until all are there.
    public func byteCount(of address: BlobAddress) -> Int {
        isWhole ? address.length : min(count * BlobAddress.chunkByteCount, address.length)
    }

    /// Whether a chunk is in the set.
    public func contains(_ index: Int) -> Bool {
        (0..<capacity).contains(index) && bits[index / 8] & 1 << UInt8(index % 8) != 0
    }

    /// Adds a chunk of the blob; whether it was lacking.
    @discardableResult
    public mutating func insert(_ index: Int) -> Bool {
        guard (0..<capacity).contains(index), !contains(index) else { return false }
        bits[index / 8] |= 1 << UInt8(index % 8)
        count += 1
        return true
    }

    /// Takes a chunk out.
    public mutating func remove(_ index: Int) {
        guard contains(index) else { return }
        bits[index / 8] &= ~(1 << UInt8(index % 8))
        count -= 1
    }

    /// The first chunk at or after a place, and from the beginning after the end, that is in this set and not in the
    /// others.
    ///
    /// - Complexity: O(chunks), eight at a time where nothing is found.
    func first(from start: Int, notIn others: ChunkSet, _ more: ChunkSet) -> Int? {
        for round in [start..<capacity, 0..<min(start, capacity)] {
            var index = round.lowerBound
            while index < round.upperBound {
                let left = bits[index / 8] & ~others.bits[index / 8] & ~more.bits[index / 8] & 0xFF << UInt8(index % 8)
                let found = index / 8 * 8 + left.trailingZeroBitCount
                if left != 0 {
                    guard found < round.upperBound else { break }
                    return found
                }
                index = (index / 8 + 1) * 8
            }
        }
        return nil
    }
}

extension ChunkSet {
    /// A bit for each chunk, that of chunk *i* is bit *i* mod 8 of byte *i* div 8.
    public var bytes: [UInt8] { bits }

    /// Reads the chunks that somebody says they have; nil if those bytes are not of this blob.
    public init?(bytes: [UInt8], of address: BlobAddress) {
        let capacity = address.chunkCount
        guard bytes.count == (capacity + 7) / 8,
            capacity % 8 == 0 || bytes[bytes.count - 1] >> UInt8(capacity % 8) == 0
        else { return nil }
        self.capacity = capacity
        bits = bytes
        count = bytes.reduce(0) { $0 + $1.nonzeroBitCount }
    }
}
