/// A set of places in a list: the run with which it begins, and what comes after that in chunks that sets share.
///
/// Sets that grew from one another share all chunks but those in which they differ, and whatever is complete from the
/// beginning costs nothing. Equal sets are stored alike.
struct PlaceSet: Hashable, Sendable {
    /// Words of 64 bits, the last one not zero; no more than a chunk has.
    private typealias Chunk = [UInt64]

    /// Everything below is in the set; this is not.
    private var run = 0
    /// The chunks from the one of `run` on, the last one not empty; none where nothing comes after the run.
    private var chunks: [Chunk] = []

    private static var wordsInChunk: Int { 32 }
    /// How far a place is shifted to name its chunk.
    private static var chunkShift: Int { 11 }
    private static let full = Chunk(repeating: .max, count: wordsInChunk)

    private static func word(_ place: Int) -> Int { place >> 6 & (wordsInChunk - 1) }
    private static func bit(_ place: Int) -> UInt64 { 1 << UInt64(place & 63) }

    private var firstChunk: Int { run >> Self.chunkShift }

    /// Whether a place is in the set. O(1).
    func contains(_ place: Int) -> Bool {
        guard place >= run else { return true }
        let chunk = place >> Self.chunkShift - firstChunk
        guard chunk < chunks.count else { return false }
        let word = Self.word(place)
        return word < chunks[chunk].count && chunks[chunk][word] & Self.bit(place) != 0
    }

    /// Puts a place in.
    mutating func insert(_ place: Int) {
        guard place >= run else { return }
        if place == run, chunks.isEmpty {
            run += 1
            return
        }
        if chunks.isEmpty { chunks = [beginning] }
        let chunk = place >> Self.chunkShift - firstChunk
        while chunks.count <= chunk { chunks.append([]) }
        let word = Self.word(place)
        while chunks[chunk].count <= word { chunks[chunk].append(0) }
        chunks[chunk][word] |= Self.bit(place)
        if chunks[chunk].count == Self.wordsInChunk, chunks[chunk] == Self.full { chunks[chunk] = Self.full }
        normalize()
    }

    /// Puts all places of another set in. O(*n*/64) in what is not complete and not shared.
    mutating func formUnion(_ other: PlaceSet) {
        if other.chunks.isEmpty, other.run <= run { return }
        if chunks.isEmpty, run <= other.run {
            self = other
            return
        }
        let first = max(firstChunk, other.firstChunk)
        let end = max(firstChunk + chunks.count, other.firstChunk + other.chunks.count, first + 1)
        chunks = (first..<end).map { Self.union(chunk($0), other.chunk($0)) }
        run = max(run, other.run)
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
        guard index >= firstChunk else { return Self.full }
        if chunks.isEmpty { return index == firstChunk ? beginning : [] }
        return index - firstChunk < chunks.count ? chunks[index - firstChunk] : []
    }

    /// The chunk of the end of the run, with the run alone.
    private var beginning: Chunk {
        var chunk = Chunk(repeating: .max, count: Self.word(run))
        if run & 63 != 0 { chunk.append(Self.bit(run) - 1) }
        return chunk
    }

    /// Makes the run as long as it is.
    private mutating func normalize() {
        let full = chunks.prefix { $0.count == Self.wordsInChunk && $0 == Self.full }.count
        if full > 0 {
            run = (firstChunk + full) << Self.chunkShift
            chunks.removeFirst(full)
        }
        guard let first = chunks.first else { return }
        var word = Self.word(run)
        while word < first.count, first[word] == .max { word += 1 }
        let ones = word < first.count ? (~first[word]).trailingZeroBitCount : 0
        run = max(run, firstChunk << Self.chunkShift + word << 6 + ones)
        if chunks.count == 1, first == beginning { chunks = [] }
    }

    /// How many places are in the set. O(*n*/64) in what is not complete.
    var count: Int {
        guard !chunks.isEmpty else { return run }
        return chunks.reduce(firstChunk << Self.chunkShift) { $1.reduce($0) { $0 + $1.nonzeroBitCount } }
    }

    /// A place after all of the set, by less than a word.
    var bound: Int {
        guard let last = chunks.last else { return run }
        return (firstChunk + chunks.count - 1) << Self.chunkShift + last.count << 6
    }

    /// Whether all places of another set are in this one. O(*n*/64) in what is not complete and not shared.
    func isSuperset(of other: PlaceSet) -> Bool {
        guard other.run <= run else { return false }
        for (index, chunk) in other.chunks.enumerated() {
            let own = self.chunk(other.firstChunk + index)
            guard chunk != own else { continue }
            guard chunk.count <= own.count else { return false }
            if zip(chunk, own).contains(where: { $0 & ~$1 != 0 }) { return false }
        }
        return true
    }

    /// The places, ascending.
    var elements: [Int] { elements(beyond: PlaceSet()) }

    /// The places that another set lacks, ascending. O(*n*/64) in what is not complete there and not shared.
    func elements(beyond other: PlaceSet) -> [Int] {
        var elements: [Int] = []
        if other.run < run { elements = (other.run..<run).filter { !other.contains($0) } }
        for (index, chunk) in chunks.enumerated() {
            let known = other.chunk(firstChunk + index)
            guard known != chunk else { continue }
            for (place, word) in chunk.enumerated() {
                let first = (firstChunk + index) << Self.chunkShift + place << 6
                guard first + 64 > run else { continue }
                var rest = place < known.count ? word & ~known[place] : word
                // The run was looked at above.
                if first < run { rest &= ~(Self.bit(run) - 1) }
                while rest != 0 {
                    elements.append(first + rest.trailingZeroBitCount)
                    rest &= rest - 1
                }
            }
        }
        return elements
    }
}
