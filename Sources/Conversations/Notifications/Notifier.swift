import OperationLog

/// Decides what a user is notified of, and when.
///
/// It reads no clock: times are durations since some start. Of one conversation there is one notification at a time, which grows until
/// it is read. A first one is shown at once, one that grew again only ``pace`` after it was shown last: a catch-up of 100,000
/// messages in one conversation is a handful of notifications, not 100,000.
public struct Notifier: Sendable {
    /// How long a notification is left before it is shown again with more in it.
    public static let pace: Duration = .seconds(1)
    /// How long an interface keeps a conversation open by saying so once.
    public static let lease: Duration = .seconds(15)

    /// What was not read in one conversation.
    private struct Pile: Sendable {
        var count = 0
        var latest: NotificationTrigger?
        /// When it was shown last; nil while it was not.
        var shown: Duration?
        /// Whether something came since.
        var grew = false

        /// When it is to be shown; nil while nothing changes.
        var nextDue: Duration? { grew ? shown.map { $0 + Notifier.pace } ?? .zero : nil }

        func isDue(at time: Duration) -> Bool { nextDue.map { $0 <= time } ?? false }
    }

    private var piles: [ConversationID: Pile] = [:]
    /// Until when interfaces have conversations open.
    private var leases: [ConversationID: Duration] = [:]

    /// Nothing has happened yet.
    public init() {}

    /// Takes in what happened in a conversation, unless the user does not want to be told.
    ///
    /// - Parameters:
    ///   - mute: how they muted the conversation; nil where they did not or that is over.
    ///   - me: the user, who is not told of what they did.
    public mutating func note(
        _ trigger: NotificationTrigger, in conversation: ConversationID, mute: Mute?, me: UserID, at time: Duration
    ) {
        guard trigger.actor != me, !isOpen(conversation, at: time), Self.isHeard(trigger, mute) else { return }
        var pile = piles[conversation] ?? Pile()
        if case .messages(let count, _) = trigger.kind { pile.count += count }
        pile.latest = trigger
        pile.grew = true
        piles[conversation] = pile
    }

    private static func isHeard(_ trigger: NotificationTrigger, _ mute: Mute?) -> Bool {
        guard let mute else { return true }
        guard mute.allowsMentions, case .messages(_, let mentionsMe) = trigger.kind else { return false }
        return mentionsMe
    }

    /// What is to be shown now, by conversation; each takes the place of the one shown of its conversation before.
    public mutating func due(at time: Duration) -> [Notification] {
        var notifications: [Notification] = []
        for (conversation, pile) in piles.sorted(by: { $0.key < $1.key }) where pile.isDue(at: time) {
            guard let latest = pile.latest else { continue }
            notifications.append(Notification(conversation: conversation, trigger: latest, count: pile.count))
            piles[conversation]?.shown = time
            piles[conversation]?.grew = false
        }
        return notifications
    }

    /// When to ask for ``due(at:)`` next; nil while nothing waits.
    public var nextDue: Duration? { piles.values.compactMap(\.nextDue).min() }

    /// Notes that the user has read a conversation.
    ///
    /// - Returns: Whether a notification is shown that has to go.
    public mutating func read(_ conversation: ConversationID) -> Bool {
        piles.removeValue(forKey: conversation)?.shown != nil
    }

    /// Notes that an interface shows a conversation to the user, for ``lease`` from now on.
    ///
    /// - Returns: Whether a notification is shown that has to go.
    public mutating func open(_ conversation: ConversationID, at time: Duration) -> Bool {
        leases = leases.filter { $0.value > time }
        leases[conversation] = time + Self.lease
        return read(conversation)
    }

    /// Notes that no interface shows a conversation any more.
    public mutating func close(_ conversation: ConversationID) {
        leases[conversation] = nil
    }

    private func isOpen(_ conversation: ConversationID, at time: Duration) -> Bool {
        leases[conversation].map { $0 > time } ?? false
    }
}
