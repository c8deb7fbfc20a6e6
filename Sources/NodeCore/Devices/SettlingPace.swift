import OperationLog
import Time

/// How soon after each other rows of a conversation are hidden and shown: a rest follows that grows with how many were looked at.
struct SettlingPace: Sendable {
    /// The rest for each row: many times what it costs to change one.
    private static let restPerRow: Duration = .microseconds(500)
    private static let maximumRest: Duration = .seconds(60)

    /// Until when a conversation rests.
    private var rests: [ConversationID: Instant] = [:]
    /// Those in which something is due once they have rested.
    private var due: Set<ConversationID> = []

    /// When what is due may be done; nil if nothing is.
    var nextDeadline: Instant? { due.lazy.compactMap { rests[$0] }.min() }

    /// Notes how many rows were looked at in a conversation.
    mutating func note(_ rows: Int, in conversation: ConversationID, at now: Instant) {
        guard rows > 0 else { return }
        rests = rests.filter { now < $0.value || due.contains($0.key) }
        let end = now + min(Self.restPerRow * rows, Self.maximumRest)
        rests[conversation] = max(rests[conversation] ?? end, end)
    }

    /// Notes that something is due in a conversation that rests.
    ///
    /// - Returns: whether it rests.
    mutating func postpone(_ conversation: ConversationID, at now: Instant) -> Bool {
        guard let end = rests[conversation], now < end else { return false }
        due.insert(conversation)
        return true
    }

    /// Those that have rested in which something is due, by id.
    mutating func takeDue(at now: Instant) -> [ConversationID] {
        let ready = due.filter { rests[$0].map { $0 <= now } ?? true }
        due.subtract(ready)
        return ready.sorted()
    }
}
