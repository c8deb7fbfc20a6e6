import OperationLog
import Time

/// Where a device was reached, or is said to be.
public struct KnownAddress: Hashable, Sendable {
    /// The device.
    public let device: DeviceID
    /// What can be dialed.
    public let address: String
    /// When a connection to it last succeeded; nil if none has yet.
    public let lastSuccess: Timestamp?

    /// Notes where a device is.
    public init(device: DeviceID, address: String, lastSuccess: Timestamp?) {
        self.device = device
        self.address = address
        self.lastSuccess = lastSuccess
    }
}
