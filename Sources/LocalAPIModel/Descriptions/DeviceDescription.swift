/// A device of the node's user.
public struct DeviceDescription: Hashable, Sendable, Codable {
    /// The device.
    public var id: String
    /// What it is called; whoever meets the user reads it.
    public var name: String
    /// Whether it is the one that answers.
    public var isThis: Bool
    /// Whether it is connected to the one that answers, or is that.
    public var online: Bool

    package init(id: String, name: String, isThis: Bool, online: Bool) {
        self.id = id
        self.name = name
        self.isThis = isThis
        self.online = online
    }
}
