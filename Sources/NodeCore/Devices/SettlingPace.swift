import OperationLog
import Time

/// What a device wrote in a conversation.
struct DeviceContent: Hashable, Sendable {
    /// The conversation.
    let conversation: ConversationID
    /// The device.
    let device: DeviceID
}

/// How soon after each other rows of revoked devices are hidden again that were shown meanwhile.
///
/// Decisions that become void can do that any number of times, in any number of groups. So all of it takes turns, and after each follows a rest that
/// grows with what was looked at. What is hidden or shown for the first time waits for nothing.
struct SettlingPace: Sendable {
    /// The rest for each row or header: many times what it costs to look at one.
    private static let restPerRow: Duration = .microseconds(500)
    private static let maximumRest: Duration = .seconds(60)

    /// The devices of which something was hidden again.
    private var repeated: Set<DeviceContent> = []
    /// Those of them of which something is to be settled, in turn.
    private var waiting: [DeviceContent] = []
    private var restsUntil: Instant?

    /// When the next turn is; nil if nothing waits.
    var nextDeadline: Instant? { waiting.isEmpty ? nil : restsUntil }

    /// Notes that something of a device was hidden again, after so many rows and headers were looked at.
    mutating func rest(after rows: Int, of content: DeviceContent, at now: Instant) {
        repeated.insert(content)
        restsUntil = max(now, restsUntil ?? now) + min(Self.restPerRow * rows, Self.maximumRest)
    }

    /// Notes that what is shown of a device may have to be settled.
    ///
    /// - Returns: whether that waits for its turn.
    mutating func postpone(_ content: DeviceContent, at now: Instant) -> Bool {
        guard repeated.contains(content), restsUntil.map({ now < $0 }) == true else { return false }
        if !waiting.contains(content) { waiting.append(content) }
        return true
    }

    /// The device whose turn it is; nil where none waits, or a rest is not over.
    mutating func takeTurn(at now: Instant) -> DeviceContent? {
        guard !waiting.isEmpty, restsUntil.map({ now < $0 }) != true else { return nil }
        return waiting.removeFirst()
    }
}
