/// A set of operations by number, in chunks that sets share.
///
/// The past of an operation is nearly always the past of another one and a few more, so it shares with it all chunks but those in which they
/// differ, and what is complete from the beginning costs nothing. While two branches are apart, an operation costs one chunk and a
/// reference to each of those since the first gap: some hundred bytes in a lane of 100,000. Equal sets are stored alike.
struct OperationSet: Hashable, Sendable {
    /// Words of 64 bits, the last one not zero; no more than a chunk has.
    private typealias Chunk = [UInt64]

    private var fullChunks = 0
    /// The chunks after the full ones: the first is not full, the last is not empty.
    private var chunks: [Chunk] = []

    private static var wordsInChunk: Int { 32 }
    /// How far a number is shifted to name its chunk.
    private static var chunkShift: Int { 11 }
    private static let full = Chunk(repeating: .max, count: wordsInChunk)

    /// Whether an operation is in the set. O(1).
    func contains(_ number: Int) -> Bool {
        let chunk = number >> Self.chunkShift - fullChunks
        guard chunk >= 0 else { return true }
        guard chunk < chunks.count else { return false }
        let word = number >> 6 & (Self.wordsInChunk - 1)
        return word < chunks[chunk].count && chunks[chunk][word] & (1 << UInt64(number & 63)) != 0
    }

    /// Puts an operation in.
    mutating func insert(_ number: Int) {
        let chunk = number >> Self.chunkShift - fullChunks
        guard chunk >= 0 else { return }
        while chunks.count <= chunk { chunks.append([]) }
        let word = number >> 6 & (Self.wordsInChunk - 1)
        while chunks[chunk].count <= word { chunks[chunk].append(0) }
        chunks[chunk][word] |= 1 << UInt64(number & 63)
        if chunks[chunk].count == Self.wordsInChunk, chunks[chunk] == Self.full { chunks[chunk] = Self.full }
        normalize()
    }

    /// Puts all operations of another set in. O(*n*/64) in what is not complete and not shared.
    mutating func formUnion(_ other: OperationSet) {
        if other.fullChunks > fullChunks {
            chunks.removeFirst(min(chunks.count, other.fullChunks - fullChunks))
            fullChunks = other.fullChunks
        }
        for (index, chunk) in other.chunks.enumerated() {
            let place = index + other.fullChunks - fullChunks
            guard place >= 0 else { continue }
            while chunks.count <= place { chunks.append([]) }
            chunks[place] = Self.union(chunks[place], chunk)
        }
        normalize()
    }

    /// One of the two where it holds the other, so that it stays shared.
    private static func union(_ one: Chunk, _ other: Chunk) -> Chunk {
        guard !one.isEmpty, one != other else { return other }
        guard !other.isEmpty else { return one }
        var union = one.count >= other.count ? one : other
        let shorter = one.count >= other.count ? other : one
        for (index, word) in shorter.enumerated() where word & ~union[index] != 0 { union[index] |= word }
        if union == other { return other }
        return union.count == wordsInChunk && union == full ? full : union
    }

    private func chunk(_ index: Int) -> Chunk {
        guard index >= fullChunks else { return Self.full }
        return index - fullChunks < chunks.count ? chunks[index - fullChunks] : []
    }

    private mutating func normalize() {
        let full = chunks.prefix { $0.count == Self.wordsInChunk && $0 == Self.full }.count
        guard full > 0 else { return }
        chunks.removeFirst(full)
        fullChunks += full
    }

    /// How many operations are in the set. O(*n*/64) in what is not complete.
    var count: Int {
        chunks.reduce(fullChunks << Self.chunkShift) { $1.reduce($0) { $0 + $1.nonzeroBitCount } }
    }

    /// A number that is greater than those of all operations in the set, by less than a word.
    var bound: Int {
        guard let last = chunks.last else { return fullChunks << Self.chunkShift }
        return (fullChunks + chunks.count - 1) << Self.chunkShift + last.count << 6
    }

    /// Whether all operations of another set are in this one. O(*n*/64) in what is not complete and not shared.
    func isSuperset(of other: OperationSet) -> Bool {
        guard other.fullChunks <= fullChunks, other.fullChunks + other.chunks.count <= fullChunks + chunks.count else {
            return false
        }
        for (index, chunk) in other.chunks.enumerated() {
            let place = index + other.fullChunks - fullChunks
            guard place >= 0, chunk != chunks[place] else { continue }
            guard chunk.count <= chunks[place].count else { return false }
            if zip(chunk, chunks[place]).contains(where: { $0 & ~$1 != 0 }) { return false }
        }
        return true
    }

    /// The operations, ascending.
    var elements: [Int] { elements(beyond: OperationSet()) }

    /// The operations that another set lacks, ascending. O(*n*/64) in what is not complete there and not shared.
    func elements(beyond other: OperationSet) -> [Int] {
        var elements: [Int] = []
        for number in min(other.fullChunks, fullChunks) << Self.chunkShift..<fullChunks << Self.chunkShift
        where !other.contains(number) {
            elements.append(number)
        }
        for (index, chunk) in chunks.enumerated() {
            let known = other.chunk(fullChunks + index)
            guard known != chunk else { continue }
            for (place, word) in chunk.enumerated() {
                var rest = place < known.count ? word & ~known[place] : word
                while rest != 0 {
                    let first = (fullChunks + index) << Self.chunkShift + place << 6
                    elements.append(first + rest.trailingZeroBitCount)
                    rest &= rest - 1
                }
            }
        }
        return elements
    }
}
