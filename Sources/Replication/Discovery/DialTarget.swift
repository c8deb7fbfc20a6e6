import OperationLog

/// Somewhere a peer may be.
public struct DialTarget: Hashable, Comparable, Sendable {
    /// `host:port`.
    public let address: String
    /// The device that must answer there, if the user said so. An address known only from other peers is dialed without
    /// an expected device: a wrong hint must not prevent the node from meeting the device that is really there.
    public let device: DeviceID?

    /// Names a place.
    public init(address: String, device: DeviceID?) {
        self.address = address
        self.device = device
    }

    /// By address.
    public static func < (left: DialTarget, right: DialTarget) -> Bool { left.address < right.address }
}
