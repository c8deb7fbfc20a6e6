import OperationLog

/// The last content operation of a device that the author of a removal had seen.
///
/// What precedes it on its chain counts whatever the device's owner does later; what follows does not.
public struct Pin: Hashable, Comparable, Sendable {
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

    /// Of one device, the later places in the chain last; of branches of one length by id.
    public static func < (left: Pin, right: Pin) -> Bool {
        (left.device, left.sequenceNumber, left.operation) < (right.device, right.sequenceNumber, right.operation)
    }
}

extension Pin {
    /// As many pins as one operation names, in the order in which it does: of somebody who certified ever new devices
    /// those of the longest chains.
    public static func fitting(_ pins: [Pin]) -> [Pin] {
        let longest = pins.sorted { ($0.sequenceNumber, $1.device) > ($1.sequenceNumber, $0.device) }
        return longest.prefix(MembershipBody.maximumPins)
            .sorted { ($0.device, $0.operation) < ($1.device, $1.operation) }
    }
}
