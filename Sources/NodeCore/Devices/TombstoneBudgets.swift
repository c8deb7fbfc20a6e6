import OperationLog
import Replication
import Time

/// How many tombstones of one user are taken in and passed on in a while, whoever brings them.
///
/// Of a user 256 are kept, those with the smallest device ids. So ever smaller ids are always news, and whoever stole a
/// root can sign them without end: passed on by everybody to everybody, each would cost a group of *n* devices *n*²
/// messages. An honest user has eight devices at a time. So they sign a few tombstones a year, and come nowhere near a
/// budget.
struct TombstoneBudgets {
    /// What is left.
    private struct Budget {
        /// Each costs a commit. All that a user may have, twice.
        var taken = TokenBucket(burst: 2 * Tombstones.maximumCount, interval: .seconds(1))
        /// Each costs a message to everybody who is to know.
        var passedOn = TokenBucket(burst: TombstoneBudgets.maximumPassedOn, interval: .seconds(60))
    }

    /// Tombstones of one user that are passed on at once: what eight devices are replaced by, four times over.
    static let maximumPassedOn = 4 * IdentityRecord.maximumDevices
    /// Budgets that are remembered, unless more of them are used up.
    private static let maximumCount = 1_024

    /// Whose devices a budget is for.
    private struct Subject: Hashable {
        let user: UserID
        /// Whether the user's record names them. Those that it does not name are made up, and must not keep back word
        /// of those that it does.
        let isCertified: Bool
    }

    private var budgets: [Subject: Budget] = [:]

    /// Whether one more of a user is taken in now.
    mutating func takes(_ tombstone: Tombstone, of person: People.Person, at now: Instant) -> Bool {
        if budgets.count >= Self.maximumCount {
            budgets = budgets.filter { !$0.value.taken.isFull(at: now) || !$0.value.passedOn.isFull(at: now) }
        }
        return budgets[Self.subject(of: tombstone, person), default: Budget()].taken.take(at: now)
    }

    /// Whether one more of a user is passed on now.
    mutating func passesOn(_ tombstone: Tombstone, of person: People.Person, at now: Instant) -> Bool {
        budgets[Self.subject(of: tombstone, person), default: Budget()].passedOn.take(at: now)
    }

    private static func subject(of tombstone: Tombstone, _ person: People.Person) -> Subject {
        Subject(user: tombstone.user, isCertified: person.identity?.certifies(tombstone.device) == true)
    }
}
