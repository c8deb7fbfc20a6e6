import OperationLog
import Replication
import Storage

/// The bodies of one conversation that are for this device and have not come, in turn by who wrote them.
///
/// Whoever writes a hundred thousand headers and never a body lengthens their own queue, and nobody else's.
public struct WantedBodies {
    private struct Place {
        let body: WantedBody
        /// Counts what was wanted.
        let number: Int
    }

    /// What one person wrote, in the order in which it was wanted. Some of it may be wanted no more.
    private struct Queue {
        var entries: [(number: Int, operation: OperationID)] = []
        var wantedCount = 0
    }

    /// How many in a row of what one person wrote a device is asked for in vain in one pass: two questions.
    static let maximumVain = 2 * PeerMessage.maximumBodies

    private var places: [OperationID: Place] = [:]
    private var queues: [UserID: Queue] = [:]
    private var sequenceNumbers: [DeviceID: [UInt64: Int]] = [:]
    /// Counts what was ever wanted: more than before when something new is.
    private(set) var total = 0

    /// Begins with nothing.
    init() {}

    /// Begins with what is wanted, in the order of arrival.
    init(_ bodies: some Sequence<WantedBody>) {
        for body in bodies { insert(body) }
    }

    /// How many there are.
    public var count: Int { places.count }
    /// Whether there are none.
    public var isEmpty: Bool { places.isEmpty }
    /// The operations whose bodies they are.
    ///
    /// - Complexity: O(*n*).
    public var operations: Set<OperationID> { Set(places.keys) }

    /// The operations of some of them, in turn by author: no more than a question has.
    public func first(_ count: Int) -> [OperationID] {
        var walk = Walk()
        return Array(next(along: &walk).prefix(count))
    }

    /// Whether the body of an operation is among them.
    func contains(_ operation: OperationID) -> Bool { places[operation] != nil }

    /// Whether one that a device wrote is among them.
    func contains(writtenBy device: DeviceID) -> Bool { sequenceNumbers[device] != nil }

    /// Whether one in a certain place of a device's chain is among them.
    func contains(_ sequenceNumber: UInt64, writtenBy device: DeviceID) -> Bool {
        sequenceNumbers[device]?[sequenceNumber] != nil
    }

    /// Wants one more.
    mutating func insert(_ body: WantedBody) {
        guard places[body.operation] == nil else { return }
        total += 1
        places[body.operation] = Place(body: body, number: total)
        queues[body.author.user, default: Queue()].entries.append((total, body.operation))
        queues[body.author.user]?.wantedCount += 1
        sequenceNumbers[body.author.id, default: [:]][body.sequenceNumber, default: 0] += 1
    }

    /// Wants some no more.
    ///
    /// - Complexity: O(*n*) in them.
    mutating func subtract(_ operations: some Sequence<OperationID>) {
        for operation in operations {
            guard let body = places.removeValue(forKey: operation)?.body else { continue }
            removeSequenceNumber(of: body)
            let user = body.author.user
            queues[user]?.wantedCount -= 1
            guard let queue = queues[user], queue.entries.count >= 2 * queue.wantedCount else { continue }
            if queue.wantedCount == 0 {
                queues[user] = nil
            } else {
                queues[user]?.entries.removeAll { places[$0.operation]?.number != $0.number }
            }
        }
    }

    private mutating func removeSequenceNumber(of body: WantedBody) {
        guard let count = sequenceNumbers[body.author.id]?[body.sequenceNumber] else { return }
        sequenceNumbers[body.author.id]?[body.sequenceNumber] = count > 1 ? count - 1 : nil
        if sequenceNumbers[body.author.id]?.isEmpty == true { sequenceNumbers[body.author.id] = nil }
    }

    // MARK: - Asking for them

    /// How far one device was asked for them.
    struct Walk {
        fileprivate struct Stretch {
            /// The number up to which it was asked.
            var last = 0
            /// How many it was asked for in this pass since it brought one.
            var vain = 0
        }

        fileprivate var stretches: [UserID: Stretch] = [:]
        fileprivate var lastAuthor: UserID?
        /// Whether it was asked in this pass.
        fileprivate(set) var isBegun = false
    }

    /// What a device is asked for next: in turn by who wrote it, and of each person in the order in which it was wanted.
    ///
    /// - Returns: at most as many as a question has, in the order of turns; none where the device's pass is over.
    /// - Complexity: O(*a* log *a* + *n*) in the authors and in what is returned.
    func next(along walk: inout Walk) -> [OperationID] {
        walk.isBegun = true
        let authors = queues.keys.sorted()
        let start = walk.lastAuthor.flatMap { last in authors.firstIndex { $0 > last } } ?? 0
        var turns = (authors[start...] + authors[..<start]).map { ($0, index: index(in: $0, after: walk)) }
        var found: [OperationID] = []
        while !turns.isEmpty {
            for turn in turns.indices {
                let author = turns[turn].0
                guard let entries = queues[author]?.entries,
                    let next = entries[turns[turn].index...].firstIndex(where: isWanted),
                    walk.stretches[author, default: Walk.Stretch()].vain < Self.maximumVain
                else {
                    turns[turn].index = .max
                    continue
                }
                guard found.count < PeerMessage.maximumBodies else { return found }
                found.append(entries[next].operation)
                turns[turn].index = next + 1
                walk.stretches[author, default: Walk.Stretch()].last = entries[next].number
                walk.stretches[author]?.vain += 1
                walk.lastAuthor = author
            }
            turns.removeAll { $0.index == .max }
        }
        return found
    }

    private func isWanted(_ entry: (number: Int, operation: OperationID)) -> Bool {
        places[entry.operation]?.number == entry.number
    }

    /// Where in a person's queue a device was asked up to.
    ///
    /// - Complexity: O(log *n*).
    private func index(in author: UserID, after walk: Walk) -> Int {
        guard let entries = queues[author]?.entries, let last = walk.stretches[author]?.last else { return 0 }
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].number > last { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// Begins the next pass of a device: of an author of whom it was asked for enough it goes on where the last one ended, else begins again.
    func beginPass(along walk: inout Walk) {
        walk.isBegun = false
        for (author, stretch) in walk.stretches {
            let rest = queues[author]?.entries[index(in: author, after: walk)...] ?? []
            let isCut = stretch.vain >= Self.maximumVain && rest.contains(where: isWanted)
            walk.stretches[author] = isCut ? Walk.Stretch(last: stretch.last) : nil
        }
    }

    /// Takes in what a device brought, and what it was asked for in the same question and had no room for: for that it is asked again.
    func note(brought: [OperationID], unanswered: [OperationID], along walk: inout Walk) {
        for author in Set(brought.compactMap { places[$0]?.body.author.user }) { walk.stretches[author]?.vain = 0 }
        for place in unanswered.compactMap({ places[$0] }) {
            let last = walk.stretches[place.body.author.user]?.last ?? 0
            walk.stretches[place.body.author.user]?.last = min(last, place.number - 1)
        }
    }
}
