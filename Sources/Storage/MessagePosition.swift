import OperationLog

/// A place in the order in which every replica shows the messages of a conversation: by hybrid time, then by id.
public struct MessagePosition: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970.
    public let hybridTime: Int64
    /// The message.
    public let id: OperationID

    /// Names a place, whether or not a message is there.
    public init(hybridTime: Int64, id: OperationID) {
        self.hybridTime = hybridTime
        self.id = id
    }

    /// The order of messages.
    public static func < (left: MessagePosition, right: MessagePosition) -> Bool {
        (left.hybridTime, left.id) < (right.hybridTime, right.id)
    }
}
