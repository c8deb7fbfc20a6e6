import OperationLog

/// A content operation whose body is for this device and has not come.
public struct WantedBody: Hashable, Sendable {
    /// The operation.
    public let operation: OperationID
    /// The device that wrote it.
    public let author: Device
    /// Its place in its author's chain.
    public let sequenceNumber: UInt64

    /// Puts the parts together.
    public init(operation: OperationID, author: Device, sequenceNumber: UInt64) {
        self.operation = operation
        self.author = author
        self.sequenceNumber = sequenceNumber
    }

    /// The body of an operation.
    public init(of operation: Operation) {
        self.init(
            operation: operation.id, author: operation.author, sequenceNumber: operation.header.sequenceNumber)
    }
}
