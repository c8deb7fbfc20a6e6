import OperationLog
import Replication
import Time

/// What is still to be done about the receipts of a conversation.
struct ReceiptPlan: Sendable {
    /// How long to wait for what comes at the same time.
    static let grace: Duration = .milliseconds(100)
    /// How long to wait at least between two receipts of this device.
    static let interval: Duration = .seconds(2)
    /// How long to rest after receipts could not be stored.
    static let storageBackoff: Duration = .seconds(5)

    /// When to do it; nil for nothing to do.
    private(set) var due: Instant?
    private var last: Instant?
    /// Devices whose receipts came and are not stored yet.
    var unsaved: Set<DeviceID> = []

    /// Notes that something changed, and returns when to say so.
    mutating func plan(at now: Instant) -> Instant {
        let moment = due ?? max(now + Self.grace, last.map { $0 + Self.interval } ?? now)
        due = moment
        return moment
    }

    /// Notes that everything is being done now.
    mutating func begin(at now: Instant) {
        due = nil
        last = now
    }

    /// Notes that it could not be done.
    mutating func postpone(at now: Instant) { due = now + Self.storageBackoff }
}
