/// A device that wrote twice from one place of its chain: a copy of its home ran, or it was put back from a backup.
///
/// Everybody holds both branches, and nothing is lost.
public struct ForkDescription: Hashable, Sendable, Codable {
    /// The id of the device.
    public var device: String
    /// What its owner calls the device.
    public var deviceName: String
    /// The id of its user.
    public var user: String
    /// What the person is called.
    public var name: String

    package init(device: String, deviceName: String, user: String, name: String) {
        self.device = device
        self.deviceName = deviceName
        self.user = user
        self.name = name
    }
}
