import OperationLog

/// The last content operation of a device that the author of a removal had seen.
///
/// What precedes it on its chain counts whatever the device's owner does later; what follows does not.
public struct Pin: Hashable, Sendable {
    /// The pinned chain.
    public let device: DeviceID
    /// The place in the chain.
    public let sequenceNumber: UInt64
    /// The operation there.
    public let operation: OperationID

    /// Pins a chain.
    public init(device: DeviceID, sequenceNumber: UInt64, operation: OperationID) {
        self.device = device
        self.sequenceNumber = sequenceNumber
        self.operation = operation
    }
}
