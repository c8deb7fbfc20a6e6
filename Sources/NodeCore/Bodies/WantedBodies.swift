import OperationLog
import Replication
import Storage

/// The bodies of one conversation that are for this device and have not come, in turn by who wrote them.
///
/// Each author has a queue. A member who writes a hundred thousand headers without bodies makes only their own queue longer. The value is stored in
/// parts: changing a copy copies few of them.
public struct WantedBodies {
    /// How many in a row of what one person wrote a device is asked for in vain in one pass: two questions.
    static let maximumVain = 2 * PeerMessage.maximumBodies

    private struct Place {
        let author: DeviceID
        let sequenceNumber: UInt64
        /// Counts what was wanted.
        let number: Int
    }

    private struct ChainPosition: PartedKey {
        let author: DeviceID
        let sequenceNumber: UInt64
        var part: UInt8 { UInt8(truncatingIfNeeded: sequenceNumber) }
    }

    private struct Author {
        let user: UserID
        var wantedCount = 0
    }

    private var places = PartedDictionary<OperationID, Place>()
    /// How many of them have a place in a chain: several where its device forked it.
    private var positions = PartedDictionary<ChainPosition, Int>()
    private var authors: [DeviceID: Author] = [:]
    private var queues: [UserID: WantedQueue] = [:]
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
    public var isEmpty: Bool { places.count == 0 }
    /// The operations whose bodies they are.
    ///
    /// - Complexity: O(*n*).
    public var operations: Set<OperationID> { Set(places.keys) }

    /// Whether the body of an operation is among them.
    func contains(_ operation: OperationID) -> Bool { places[operation] != nil }

    /// Whether one that a device wrote is among them.
    func contains(writtenBy device: DeviceID) -> Bool { authors[device] != nil }

    /// Whether one in a certain place of a device's chain is among them.
    func contains(_ sequenceNumber: UInt64, writtenBy device: DeviceID) -> Bool {
        positions[ChainPosition(author: device, sequenceNumber: sequenceNumber)] != nil
    }

    /// The operations of some of them, in turn by author: no more than a question has.
    public func first(_ count: Int) -> [OperationID] {
        var walk = Walk()
        return Array(next(along: &walk).prefix(count))
    }

    /// Wants one more.
    mutating func insert(_ body: WantedBody) {
        guard places[body.operation] == nil else { return }
        total += 1
        let (device, user) = (body.author.id, body.author.user)
        places[body.operation] = Place(author: device, sequenceNumber: body.sequenceNumber, number: total)
        positions[ChainPosition(author: device, sequenceNumber: body.sequenceNumber), default: 0] += 1
        authors[device, default: Author(user: user)].wantedCount += 1
        queues[user, default: WantedQueue()].append(WantedQueue.Entry(number: total, operation: body.operation))
    }

    /// Wants some no more.
    ///
    /// - Complexity: O(*n*) in them.
    mutating func subtract(_ operations: some Sequence<OperationID>) {
        for operation in operations {
            guard let place = places[operation], let author = authors[place.author] else { continue }
            places[operation] = nil
            let position = ChainPosition(author: place.author, sequenceNumber: place.sequenceNumber)
            positions[position] = positions[position].flatMap { $0 > 1 ? $0 - 1 : nil }
            authors[place.author] =
                author.wantedCount > 1
                ? Author(user: author.user, wantedCount: author.wantedCount - 1) : nil
            let places = places
            queues[author.user]?.removeOne { places[$0.operation]?.number == $0.number }
            if queues[author.user]?.wantedCount == 0 { queues[author.user] = nil }
        }
    }

    /// Wants exactly some. What was wanted before keeps its turn.
    mutating func become(_ bodies: [WantedBody]) {
        subtract(operations.subtracting(bodies.map(\.operation)))
        for body in bodies { insert(body) }
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
        /// The number up to which this pass goes: what came to be wanted later is asked for, too, and does not lengthen it.
        fileprivate var goal = 0
        /// Whether it was asked in this pass.
        fileprivate(set) var isBegun = false
    }

    /// Whose turn it is to be asked for, and where in their queue.
    private struct Turn {
        let author: UserID
        let queue: WantedQueue
        var position: WantedQueue.Position
    }

    /// Begins with a device that was asked for nothing.
    func walk() -> Walk {
        var walk = Walk()
        walk.goal = total
        return walk
    }

    /// What a device is to be asked for next: in turn by who wrote it, and of each person in the order in which it was wanted.
    ///
    /// - Returns: at most as many as a question has, in the order of turns; none where the device's pass is over.
    /// - Complexity: O(*a* log *a* + *n*) in the authors and in what is looked at: what is returned, and what is wanted no more, at most as much as is.
    func next(along walk: inout Walk) -> [OperationID] {
        walk.isBegun = true
        let authors = queues.keys.sorted()
        let start = walk.lastAuthor.flatMap { last in authors.firstIndex { $0 > last } } ?? 0
        var turns = (authors[start...] + authors[..<start]).compactMap { author -> Turn? in
            guard let queue = queues[author] else { return nil }
            return Turn(
                author: author, queue: queue, position: queue.position(after: walk.stretches[author]?.last ?? 0))
        }
        var (found, taken): ([OperationID], [UserID: Int]) = ([], [:])
        while !turns.isEmpty {
            var going: [Turn] = []
            for var turn in turns {
                let vain = (walk.stretches[turn.author]?.vain ?? 0) + taken[turn.author, default: 0]
                guard vain < Self.maximumVain, let entry = turn.queue.next(from: &turn.position, where: isWanted) else {
                    continue
                }
                guard found.count < PeerMessage.maximumBodies else { return found }
                found.append(entry.operation)
                taken[turn.author, default: 0] += 1
                walk.stretches[turn.author, default: Walk.Stretch()].last = entry.number
                walk.lastAuthor = turn.author
                going.append(turn)
            }
            turns = going
        }
        return found
    }

    private func isWanted(_ entry: WantedQueue.Entry) -> Bool { places[entry.operation]?.number == entry.number }

    private func author(of operation: OperationID) -> UserID? {
        places[operation].flatMap { authors[$0.author]?.user }
    }

    /// Notes that a device is asked for some of what is next.
    func note(asked: [OperationID], along walk: inout Walk) {
        for author in asked.compactMap(author) { walk.stretches[author]?.vain += 1 }
    }

    /// Takes in what a device brought, and what it was asked for in the same question and had no room for: for that it is asked again.
    func note(brought: [OperationID], unanswered: [OperationID], along walk: inout Walk) {
        for operation in unanswered {
            guard let place = places[operation], let author = authors[place.author]?.user,
                var stretch = walk.stretches[author]
            else { continue }
            stretch.last = min(stretch.last, place.number - 1)
            stretch.vain = max(0, stretch.vain - 1)
            walk.stretches[author] = stretch
        }
        for author in brought.compactMap(author) { walk.stretches[author]?.vain = 0 }
    }

    /// Whether a device was not yet asked for all that was wanted when its pass began.
    func isCut(_ walk: Walk) -> Bool { walk.stretches.keys.contains { isCut($0, along: walk) } }

    private func isCut(_ author: UserID, along walk: Walk) -> Bool {
        guard let queue = queues[author], let last = walk.stretches[author]?.last else { return false }
        var position = queue.position(after: last)
        return queue.next(from: &position, where: isWanted).map { $0.number <= walk.goal } ?? false
    }

    /// Begins the next pass of a device: of whose bodies it was not asked for all, it goes on where the last one ended, else it begins again.
    func beginPass(along walk: inout Walk) {
        for (author, stretch) in walk.stretches {
            walk.stretches[author] = isCut(author, along: walk) ? Walk.Stretch(last: stretch.last) : nil
        }
        (walk.isBegun, walk.goal) = (false, total)
    }
}
