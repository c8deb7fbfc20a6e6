import OperationLog
import Time

/// That a user wants no notifications of a conversation.
public struct Mute: Hashable, Sendable {
    /// When it is over; nil for never.
    public let end: Timestamp?
    /// Whether messages that mention the user notify them nevertheless.
    public let allowsMentions: Bool

    /// Describes a mute.
    public init(until end: Timestamp?, allowsMentions: Bool = false) {
        self.end = end
        self.allowsMentions = allowsMentions
    }

    /// Whether it is over.
    public func isOver(at time: Timestamp) -> Bool { end.map { $0 <= time } ?? false }
}
