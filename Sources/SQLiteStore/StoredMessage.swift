import OperationLog
import Storage
import Time

/// A message with what ordering and showing it needs.
public struct StoredMessage: Hashable, Sendable {
    /// The message.
    public let operation: Operation
    /// The time by which it is ordered, in milliseconds since 1970.
    public let hybridTime: Int64
    /// When it came in, by this node's clock.
    public let receivedAt: Timestamp

    /// Describes a message that was admitted, or is stored.
    public init(operation: Operation, hybridTime: Int64, receivedAt: Timestamp) {
        self.operation = operation
        self.hybridTime = hybridTime
        self.receivedAt = receivedAt
    }

    /// Its place in the order of messages.
    public var position: MessagePosition { MessagePosition(hybridTime: hybridTime, id: operation.id) }
}
