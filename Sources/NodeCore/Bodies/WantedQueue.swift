import OperationLog

/// What one person wrote and is wanted, in the order in which it came to be, in pieces. Some of it may be wanted no
/// more.
struct WantedQueue {
    /// One body.
    struct Entry {
        let number: Int
        let operation: OperationID
    }

    /// A place in the pieces.
    struct Position {
        var piece: Int
        var offset: Int
    }

    private static let pieceLength = 256

    private var pieces: [[Entry]] = []
    private var entryCount = 0
    /// How many of its entries are wanted.
    private(set) var wantedCount = 0

    /// Adds one, whose number is the largest.
    mutating func append(_ entry: Entry) {
        if pieces.last.map({ $0.count == Self.pieceLength }) ?? true { pieces.append([]) }
        pieces[pieces.count - 1].append(entry)
        entryCount += 1
        wantedCount += 1
    }

    /// Notes that one is wanted no more. Those are removed together, once they are as many as the others.
    mutating func removeOne(keeping isWanted: (Entry) -> Bool) {
        wantedCount -= 1
        guard entryCount >= 2 * wantedCount else { return }
        let rest = pieces.joined().filter(isWanted)
        (pieces, entryCount, wantedCount) = ([], 0, 0)
        for entry in rest { append(entry) }
    }

    /// The place after a number.
    ///
    /// - Complexity: O(log *n*).
    func position(after number: Int) -> Position {
        let piece = pieces.insertionIndex { ($0.last?.number ?? 0) <= number }
        guard piece < pieces.count else { return Position(piece: piece, offset: 0) }
        return Position(piece: piece, offset: pieces[piece].insertionIndex { $0.number <= number })
    }

    /// The next one that is wanted; nil at the end.
    func next(from position: inout Position, where isWanted: (Entry) -> Bool) -> Entry? {
        while position.piece < pieces.count {
            while position.offset < pieces[position.piece].count {
                let entry = pieces[position.piece][position.offset]
                position.offset += 1
                if isWanted(entry) { return entry }
            }
            position = Position(piece: position.piece + 1, offset: 0)
        }
        return nil
    }
}
