import OperationLog
import Time

/// Decides what a user is notified of, and when.
///
/// It reads no clock: times are durations since some start. Of one conversation there is one notification at a time,
/// which grows until it is read. A first one is shown at once, one that grew again only ``pace`` after it was shown
/// last: a catch-up of 100,000 messages in one conversation is a handful of notifications, not 100,000.
public struct Notifier: Sendable {
    /// How long a notification is left before it is shown again with more in it.
    public static let pace: Duration = .seconds(1)
    /// How many messages of a notification are remembered, the latest: of one of them that is deleted the notification
    /// tells no more.
    public static let memory = 64
    /// How long a notification waits for the name of who caused it: on a host that has just become a device, messages
    /// come before the names of those who wrote them.
    public static let nameTimeout: Duration = .seconds(5)
    /// How long an interface keeps a conversation open by saying so once.
    public static let lease: Duration = .seconds(15)

    /// What was not read in one conversation.
    private struct PendingNotification: Sendable {
        var count = 0
        var latest: NotificationTrigger?
        /// The latest messages among what it counts, the last one last.
        var messages: [NotificationTrigger] = []
        /// When it was shown last; nil while it was not.
        var shown: Duration?
        /// Whether something came since.
        var grew = false
        /// Whether it waits for the name of who caused the latest.
        var awaitsName = false
        /// Until when it waits for names at most; nil while it waited for none since it was shown.
        var nameDeadline: Duration?

        /// When it is to be shown; nil while nothing changes.
        var nextDue: Duration? {
            guard grew else { return nil }
            return max(shown.map { $0 + Notifier.pace } ?? .zero, awaitsName ? nameDeadline ?? .zero : .zero)
        }

        func isDue(at time: Duration) -> Bool { nextDue.map { $0 <= time } ?? false }
    }

    /// What was written or decided before is no news, as on a host that became a device of the user only then; nil
    /// where everything is. The writer's clock says when that was: of one whose clock is slow nothing is told for as
    /// long.
    public var newsBegin: Timestamp?

    private var piles: [ConversationID: PendingNotification] = [:]
    /// Until when interfaces have conversations open.
    private var leases: [ConversationID: Duration] = [:]
    /// How many interfaces show a conversation until they say that they do not.
    private var screens: [ConversationID: Int] = [:]

    /// Nothing has happened yet.
    public init() {}

    /// Takes in what happened in a conversation, unless the user does not want to be told.
    ///
    /// - Parameters:
    ///   - messages: where several were written at once, the latest of them, each as its own trigger; else what
    ///     happened is taken for one.
    ///   - mute: how they muted the conversation; nil where they did not or that is over.
    ///   - me: the user, who is not told of what they did.
    ///   - isNamed: whether the name of who did it is known; if not, it is shown after ``named(_:)``, or without it
    ///     after ``nameTimeout``.
    public mutating func note(
        _ trigger: NotificationTrigger, of messages: [NotificationTrigger] = [], in conversation: ConversationID,
        mute: Mute?, me: UserID, isNamed: Bool = true, at time: Duration
    ) {
        guard trigger.actor != me, !isOpen(conversation, at: time), Self.isHeard(trigger, mute) else { return }
        var pile = piles[conversation] ?? PendingNotification()
        if case .messages(let count, _) = trigger.kind {
            pile.count += count
            pile.messages = (pile.messages + (messages.isEmpty ? [trigger] : messages)).suffix(Self.memory)
        }
        pile.latest = trigger
        pile.grew = true
        pile.awaitsName = !isNamed
        if !isNamed, pile.nameDeadline == nil { pile.nameDeadline = time + Self.nameTimeout }
        piles[conversation] = pile
    }

    /// Notes that the name of a person is known now: what they caused need not wait for it.
    public mutating func named(_ person: UserID) {
        for (conversation, pile) in piles where pile.awaitsName && pile.latest?.actor == person {
            piles[conversation]?.awaitsName = false
        }
    }

    /// Whether the user may have to be told of what was written at a time, in milliseconds since 1970.
    public func isNews(writtenAt time: Int64) -> Bool { newsBegin.map { time >= $0.milliseconds } ?? true }

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
            piles[conversation]?.nameDeadline = nil
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

    /// Notes that messages of a conversation were deleted: what is shown is shown again without them, or goes.
    ///
    /// - Returns: Whether a notification is shown that has to go.
    public mutating func retract(_ deleted: Set<OperationID>, in conversation: ConversationID) -> Bool {
        guard var pile = piles[conversation] else { return false }
        let left = pile.messages.filter { message in message.operation.map { !deleted.contains($0) } ?? true }
        guard left.count < pile.messages.count else { return false }
        pile.count -= pile.messages.count - left.count
        pile.messages = left
        // What is shown may be a deleted text: that waits for no name.
        if pile.shown != nil { pile.awaitsName = false }
        guard case .messages = pile.latest?.kind else {
            piles[conversation] = pile
            return false
        }
        guard let last = left.last else { return read(conversation) }
        pile.latest = last
        pile.grew = true
        piles[conversation] = pile
        return false
    }

    /// Whether something of a conversation was not read of which the user was told, or is to be.
    public func concerns(_ conversation: ConversationID) -> Bool { piles[conversation] != nil }

    /// Notes that an interface shows a conversation to the user, for ``lease`` from now on.
    ///
    /// - Returns: Whether a notification is shown that has to go.
    public mutating func open(_ conversation: ConversationID, at time: Duration) -> Bool {
        leases = leases.filter { $0.value > time }
        leases[conversation] = time + Self.lease
        return read(conversation)
    }

    /// Notes that the user looks no more at what ``open(_:at:)`` said.
    public mutating func close(_ conversation: ConversationID) {
        leases[conversation] = nil
    }

    /// Notes that one more interface shows a conversation to the user, until ``endShowing(_:)``.
    ///
    /// - Returns: Whether a notification is shown that has to go.
    public mutating func beginShowing(_ conversation: ConversationID) -> Bool {
        screens[conversation, default: 0] += 1
        return read(conversation)
    }

    /// Notes that one of the interfaces that showed a conversation does so no more.
    public mutating func endShowing(_ conversation: ConversationID) {
        let left = (screens[conversation] ?? 0) - 1
        screens[conversation] = left > 0 ? left : nil
    }

    /// Whether an interface shows a conversation to the user.
    public func isOpen(_ conversation: ConversationID, at time: Duration) -> Bool {
        screens[conversation] != nil || leases[conversation].map { $0 > time } ?? false
    }
}
