import OperationLog

/// A message with what ordering and showing it needs.
public struct StoredMessage: Hashable, Sendable {
    /// The message.
    public let operation: Operation
    /// The time by which it is ordered, in milliseconds since 1970.
    public let effectiveTime: Int64
    /// When it came in, by this node's clock.
    public let receivedAt: Timestamp

    /// Its place in the order of messages.
    public var position: MessagePosition { MessagePosition(effectiveTime: effectiveTime, id: operation.id) }
}

/// A place in the order in which every replica shows the messages of a conversation: by effective time, then by id.
public struct MessagePosition: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970.
    public let effectiveTime: Int64
    /// The message.
    public let id: OperationID

    /// Names a place, whether or not a message stands there.
    public init(effectiveTime: Int64, id: OperationID) {
        self.effectiveTime = effectiveTime
        self.id = id
    }

    /// The order of messages.
    public static func < (left: MessagePosition, right: MessagePosition) -> Bool {
        (left.effectiveTime, left.id) < (right.effectiveTime, right.id)
    }
}
