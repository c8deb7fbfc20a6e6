/// Who is asked next for what a node lacks: in turn by person, so that eight devices of one person get no more turns
/// than one.
///
/// A turn without an answer in time is in vain. From then on a person comes after everybody whose turns were not, and
/// nobody waits for them, until they bring something that was asked for. So whoever keeps silent delays others once,
/// for ``answerTimeout``, and not with each of their devices.
///
/// What a person says they hold, and an answer with nothing in it, change nothing: anybody could send those at will.
public struct PersonTurns: Sendable {
    /// How long a node waits for an answer before it asks somebody else as well: some round trips of a slow local
    /// network.
    public static let answerTimeout: Duration = .milliseconds(300)
    /// Questions that wait for an answer at the same time, at most. After each that was in vain one more may, so that a
    /// row of silent people costs about as many waits as its length has digits.
    public static let maximumWidth = 4
    /// People who are remembered at most: as many as a conversation has members, many times over.
    static let maximumPeople = 4_096

    /// Where a person stands: who comes first is less.
    public struct Place: Comparable, Sendable {
        fileprivate let vainTurns: Int
        fileprivate let turnsInRound: Int
        fileprivate let hasShown: Bool
        fileprivate let last: UInt64

        /// By turns in vain, then by turns in this round, then who has shown that they have it, then who had a turn
        /// longest ago.
        public static func < (one: Place, other: Place) -> Bool {
            (one.vainTurns, one.turnsInRound, one.hasShown ? 0 : 1, one.last)
                < (other.vainTurns, other.turnsInRound, other.hasShown ? 0 : 1, other.last)
        }
    }

    private struct Record: Sendable {
        var vainTurns = 0
        var last: UInt64 = 0
    }

    private var records: [UserID: Record] = [:]
    private var count: UInt64 = 0

    /// Begins with people who had no turn.
    public init() {}

    /// Notes that a person is asked.
    public mutating func begin(_ user: UserID) {
        count += 1
        if records.count >= Self.maximumPeople, records[user] == nil {
            // Who had a turn longest ago, many at once, so that it costs little for each.
            let oldest = records.sorted { $0.value.last < $1.value.last }.prefix(Self.maximumPeople / 4)
            for (user, _) in oldest { records[user] = nil }
        }
        records[user, default: Record()].last = count
    }

    /// Notes that a person brought something that they were asked for.
    public mutating func bring(_ user: UserID) { records[user]?.vainTurns = 0 }

    /// Notes that a person did not answer in time.
    public mutating func miss(_ user: UserID) { records[user]?.vainTurns += 1 }

    /// Whether a person's last turns were in vain: nobody waits for them.
    public func isVain(_ user: UserID) -> Bool { (records[user]?.vainTurns ?? 0) > 0 }

    /// Where a person stands.
    ///
    /// - Parameters:
    ///   - hasShown: whether they wrote what is asked for, or have brought a part of it.
    ///   - turnsInRound: how many of their devices had a turn since everybody had one.
    public func place(of user: UserID, hasShown: Bool = false, turnsInRound: Int = 0) -> Place {
        let record = records[user] ?? Record()
        return Place(
            vainTurns: record.vainTurns, turnsInRound: turnsInRound, hasShown: hasShown, last: record.last)
    }
}

/// Places that go round by person: the first of each, then the second of each, and so on.
///
/// - Returns: the items in that order, which within a round is the one they came in.
/// - Complexity: O(*n* log *n*).
public func inTurn<Item, Subject: Hashable>(_ items: [Item], by subject: (Item) -> Subject) -> [Item] {
    var counts: [Subject: Int] = [:]
    let rounds = items.map { item in
        defer { counts[subject(item), default: 0] += 1 }
        return counts[subject(item), default: 0]
    }
    return zip(rounds, items).enumerated().sorted {
        ($0.element.0, $0.offset) < ($1.element.0, $1.offset)
    }.map(\.element.1)
}
