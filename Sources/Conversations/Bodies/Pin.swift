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
    /// Pins in parts that fit one operation each; at least one part, which may be empty.
    ///
    /// Somebody who certified ever new devices has more chains than an operation can name, and each of them counts: a bound would let dummies
    /// push out the ones that matter.
    public static func parts(of pins: [Pin]) -> [[Pin]] {
        let parts = stride(from: 0, to: pins.count, by: MembershipBody.maximumPins).map {
            Array(pins[$0..<min($0 + MembershipBody.maximumPins, pins.count)])
        }
        return parts.isEmpty ? [[]] : parts
    }
}
