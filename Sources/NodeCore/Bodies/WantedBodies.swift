import OperationLog
import Replication
import Storage

/// The bodies of one conversation that are for this device and have not come, in turn by who wrote them.
///
/// Each author has a queue. A member who writes a hundred thousand headers without bodies makes only their own queue
/// longer. The value is stored in parts: changing a copy copies few of them.
public struct WantedBodies {
    /// How many in a row of what one person wrote a device is asked for in vain in one pass: two questions.
    static let maximumVain = 2 * PeerMessage.maximumBodies

    private struct Place {
        let author: Device
        let sequenceNumber: UInt64
        /// Counts what was wanted, anew for each claim.
        var number: Int
        /// In whose queue it is.
        var queue: UserID
        /// Devices that wrote what they could not have written without it, one of each person.
        var claimants: [Device] = []
    }

    private struct ChainPosition: PartedKey {
        let author: DeviceID
        let sequenceNumber: UInt64
        var part: UInt8 { UInt8(truncatingIfNeeded: sequenceNumber) }
    }

    /// What a device must have: it wrote it, or claimed it.
    private struct Holding {
        var wantedCount = 0
        /// What it claimed, in that order; some of it may be wanted no more.
        var claims: [WantedQueue.Entry] = []
    }

    private var places = PartedDictionary<OperationID, Place>()
    /// How many of them have a place in a chain: several where its device forked it.
    private var positions = PartedDictionary<ChainPosition, Int>()
    private var holdings: [DeviceID: Holding] = [:]
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

    /// Whether one is among them that a device must have: it wrote it, or something that it could not have written
    /// without it.
    func contains(heldBy device: DeviceID) -> Bool { holdings[device] != nil }

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
        places[body.operation] = Place(
            author: body.author, sequenceNumber: body.sequenceNumber, number: total, queue: user)
        positions[ChainPosition(author: device, sequenceNumber: body.sequenceNumber), default: 0] += 1
        holdings[device, default: Holding()].wantedCount += 1
        queues[user, default: WantedQueue()].append(WantedQueue.Entry(number: total, operation: body.operation))
    }

    /// Learns that a device wrote what it could not have written without a body, if that is wanted. It is looked for
    /// anew: the device has it, or lies, so each person is heard once.
    ///
    /// From now on it is in the turn of the one of whom less is wanted. So nobody makes it wait behind what they wrote
    /// without bodies.
    mutating func claim(_ operation: OperationID, by device: Device) {
        guard var place = places[operation], place.author.user != device.user,
            !place.claimants.contains(where: { $0.user == device.user })
        else { return }
        let former = place.queue
        total += 1
        place.number = total
        place.claimants.append(device)
        if queues[device.user]?.wantedCount ?? 0 < queues[former]?.wantedCount ?? 0 { place.queue = device.user }
        places[operation] = place
        removeOne(from: former)
        let entry = WantedQueue.Entry(number: total, operation: operation)
        queues[place.queue, default: WantedQueue()].append(entry)
        holdings[device.id, default: Holding()].wantedCount += 1
        holdings[device.id]?.claims.append(entry)
    }

    /// The devices that claimed a body.
    func claimants(of operation: OperationID) -> [Device] { places[operation]?.claimants ?? [] }

    /// What a device claimed last and is wanted, ascending: of what it claimed after so many had been wanted, no more
    /// than a question has.
    func claims(of device: DeviceID, after total: Int) -> [OperationID] {
        let recent = holdings[device]?.claims.reversed().prefix { $0.number > total } ?? []
        return recent.lazy.map(\.operation).filter(contains).prefix(PeerMessage.maximumBodies).sorted()
    }

    /// Wants some no more.
    ///
    /// - Complexity: O(*n*) in them.
    mutating func subtract(_ operations: some Sequence<OperationID>) {
        for operation in operations {
            guard let place = places[operation] else { continue }
            places[operation] = nil
            let position = ChainPosition(author: place.author.id, sequenceNumber: place.sequenceNumber)
            positions[position] = positions[position].flatMap { $0 > 1 ? $0 - 1 : nil }
            for device in [place.author] + place.claimants {
                holdings[device.id]?.wantedCount -= 1
                if holdings[device.id]?.wantedCount == 0 { holdings[device.id] = nil }
            }
            removeOne(from: place.queue)
        }
    }

    /// Notes that one in a person's queue has its place there no more.
    private mutating func removeOne(from user: UserID) {
        let places = places
        queues[user]?.removeOne { places[$0.operation]?.number == $0.number }
        if queues[user]?.wantedCount == 0 { queues[user] = nil }
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
        /// The number up to which this pass goes: what came to be wanted later is asked for, too, and does not lengthen
        /// it.
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

    /// What a device is to be asked for next: in turn by who wrote it, and of each person in the order in which it was
    /// wanted.
    ///
    /// - Returns: at most as many as a question has, in the order of turns; none where the device's pass is over.
    /// - Complexity: O(*a* log *a* + *n*) in the authors and in what is looked at: what is returned, and what is wanted
    ///   no more, at most as much as is.
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

    /// Notes that a device is asked for some of what is next.
    func note(asked: [OperationID], along walk: inout Walk) {
        for operation in asked {
            if let user = places[operation]?.queue { walk.stretches[user]?.vain += 1 }
        }
    }

    /// Takes in what a device brought, and what it was asked for in the same question and had no room for: for that it
    /// is asked again.
    func note(brought: [OperationID], unanswered: [OperationID], along walk: inout Walk) {
        for operation in unanswered {
            guard let place = places[operation], var stretch = walk.stretches[place.queue] else { continue }
            stretch.last = min(stretch.last, place.number - 1)
            stretch.vain = max(0, stretch.vain - 1)
            walk.stretches[place.queue] = stretch
        }
        for operation in brought {
            if let user = places[operation]?.queue { walk.stretches[user]?.vain = 0 }
        }
    }

    /// Whether a device was not yet asked for all that was wanted when its pass began.
    func isCut(_ walk: Walk) -> Bool { walk.stretches.keys.contains { isCut($0, along: walk) } }

    private func isCut(_ author: UserID, along walk: Walk) -> Bool {
        guard let queue = queues[author], let last = walk.stretches[author]?.last else { return false }
        var position = queue.position(after: last)
        return queue.next(from: &position, where: isWanted).map { $0.number <= walk.goal } ?? false
    }

    /// Begins the next pass of a device: of whose bodies it was not asked for all, it goes on where the last one ended,
    /// else it begins again.
    func beginPass(along walk: inout Walk) {
        for (author, stretch) in walk.stretches {
            walk.stretches[author] = isCut(author, along: walk) ? Walk.Stretch(last: stretch.last) : nil
        }
        (walk.isBegun, walk.goal) = (false, total)
    }
}
