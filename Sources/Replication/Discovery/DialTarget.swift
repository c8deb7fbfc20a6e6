import OperationLog

/// Somewhere a peer may be.
public struct DialTarget: Hashable, Comparable, Sendable {
    /// `host:port`.
    public let address: String
    /// The device that must answer there, if the user said so. A place of which only others speak is dialed to hear who is there: a wrong word
    /// about it keeps nobody from meeting whoever that is.
    public let device: DeviceID?

    /// Names a place.
    public init(address: String, device: DeviceID?) {
        self.address = address
        self.device = device
    }

    /// By address.
    public static func < (left: DialTarget, right: DialTarget) -> Bool { left.address < right.address }
}
