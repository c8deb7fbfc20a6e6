import Blobs
import Time

/// Blobs that something names and that are fetched only when the user asks for them, or when there is room: nobody is
/// asked about them, so they cost little, however many somebody names.
struct OfferedBlobs: Sendable {
    /// How soon they are thought of again after there may be room for them.
    static let delay: Duration = .seconds(1)
    /// How many are thought of at a time, and how soon the next ones are.
    static let maximumInTurn = 1_024
    private static let turnDelay: Duration = .milliseconds(100)

    /// What is here of each.
    private var held: [BlobAddress: ChunkSet] = [:]
    /// All of them, and some that are not offered any more, in a circle.
    private var circle: [BlobAddress] = []
    /// Who is next in the circle, and how many are to be thought of.
    private var (next, left) = (0, 0)
    /// When it is the turn of some of them; nil where none are to be thought of.
    private(set) var nextTurn: Instant?

    /// What is here of an offered blob; nil if it is not offered.
    subscript(address: BlobAddress) -> ChunkSet? { held[address] }

    /// Offers a blob.
    mutating func insert(_ address: BlobAddress, holding chunks: ChunkSet) {
        guard held.updateValue(chunks, forKey: address) == nil else { return }
        // It may be there from when it was offered before: then it has two turns.
        circle.append(address)
    }

    /// Offers a blob no longer.
    ///
    /// - Returns: what is here of it; nil if it was not offered.
    @discardableResult
    mutating func remove(_ address: BlobAddress) -> ChunkSet? {
        guard let chunks = held.removeValue(forKey: address) else { return nil }
        // Now and then, so that many do not cost each other.
        if circle.count > 2 * held.count + 64 {
            let passed = circle[..<next].count { held[$0] != nil }
            (circle, next) = (circle.filter { held[$0] != nil }, passed)
        }
        return chunks
    }

    /// Has each of them thought of once more, the first ones at a moment.
    mutating func considerAll(from moment: Instant) {
        guard !held.isEmpty else { return }
        left = circle.count
        nextTurn = nextTurn.map { min($0, moment) } ?? moment
    }

    /// The next ones that are to be thought of now.
    mutating func takeTurn(at now: Instant) -> [BlobAddress] {
        var turn: [BlobAddress] = []
        left = min(left, circle.count)
        while left > 0, turn.count < Self.maximumInTurn {
            if next >= circle.count { next = 0 }
            if held[circle[next]] != nil { turn.append(circle[next]) }
            (next, left) = (next + 1, left - 1)
        }
        nextTurn = left > 0 ? now + Self.turnDelay : nil
        return turn
    }
}
