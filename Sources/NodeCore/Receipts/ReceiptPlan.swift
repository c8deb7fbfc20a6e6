import OperationLog
import Replication
import Time

/// What is still to be done about the receipts of a conversation.
struct ReceiptPlan: Sendable {
    /// How long to wait for what comes at the same time.
    static let grace: Duration = .milliseconds(100)
    /// How long to wait at least between two receipts of this device.
    static let interval: Duration = .seconds(2)
    /// How long to wait for each author who was sent the last one: where many write, each hears of it a little later.
    static let intervalPerAuthor: Duration = .milliseconds(250)
    /// How long to wait at most.
    static let maximumInterval: Duration = .seconds(30)
    /// How long to rest after receipts could not be stored.
    static let storageBackoff: Duration = .seconds(5)

    /// How long to wait between two looks whether what was sent has come.
    static let checkInterval: Duration = .seconds(30)

    /// When to do it; nil for nothing to do.
    private(set) var due: Instant?
    private var last: Instant?
    /// How long to wait after that one.
    private var pause = Self.interval
    /// When to look whether what was sent to a peer has come; nil for nothing to look for.
    private(set) var checkAt: Instant?
    /// For whom it was looked: in turn by person.
    private var turns = PersonTurns()
    /// For which device of each it was last looked.
    private var lastChecked: [UserID: PeerHandle] = [:]
    /// Devices whose receipts came and are not stored yet.
    var unsaved: Set<DeviceID> = []

    /// When something is to be done.
    var next: Instant? { [due, checkAt].compactMap { $0 }.min() }

    /// Notes that something changed, and returns when to say so.
    mutating func plan(at now: Instant) -> Instant {
        let moment = due ?? max(now + Self.grace, last.map { $0 + pause } ?? now)
        due = moment
        return moment
    }

    /// Notes that everything is being done now.
    mutating func begin(at now: Instant) {
        due = nil
        last = now
        pause = Self.interval
    }

    /// Notes that a receipt of this device went to so many authors.
    mutating func noteSent(to authors: Int) {
        pause = min(Self.maximumInterval, max(Self.interval, Self.intervalPerAuthor * authors))
    }

    /// Notes that it could not be done.
    mutating func postpone(at now: Instant) { due = now + Self.storageBackoff }

    /// Notes that receipts were sent or came.
    mutating func planCheck(at now: Instant) { checkAt = checkAt ?? now + Self.checkInterval }

    /// Chooses whom to tell what is held: one person after the other, and their devices one after the other.
    ///
    /// - Parameter peers: those with whom receipts were exchanged since, each with its user.
    mutating func nextToCheck(among peers: [PeerHandle: UserID], at now: Instant) -> PeerHandle? {
        checkAt = nil
        let people = Set(peers.values)
        guard let user = people.min(by: { (turns.place(of: $0), $0) < (turns.place(of: $1), $1) }) else { return nil }
        turns.begin(user)
        let devices = peers.filter { $0.value == user }.keys.sorted()
        let next = devices.first { device in lastChecked[user].map { device > $0 } ?? true } ?? devices.first
        lastChecked = lastChecked.filter { people.contains($0.key) }
        lastChecked[user] = next
        return next
    }
}
