/// Who this node is.
public struct IdentityDescription: Hashable, Sendable, Codable {
    /// The id of the user.
    public var user: String
    /// What the person or thing is called.
    public var name: String
    /// The id of the device.
    public var device: String
    /// What the owner calls the device.
    public var deviceName: String
    /// The folder of the node.
    public var home: String
    /// The photo others see, if one was set.
    public var photo: FileDescription?
    /// Whether others learn what the user reads.
    public var receipts: Bool
    /// Whether the user is asked before a group that others add them to is theirs.
    public var asksWhenAdded: Bool
    /// Whether the user ended their identity: the node writes nothing any more.
    public var deleted: Bool

    package init(
        user: String, name: String, device: String, deviceName: String, home: String, photo: FileDescription? = nil,
        receipts: Bool, asksWhenAdded: Bool, deleted: Bool
    ) {
        self.user = user
        self.name = name
        self.device = device
        self.deviceName = deviceName
        self.home = home
        self.photo = photo
        self.receipts = receipts
        self.asksWhenAdded = asksWhenAdded
        self.deleted = deleted
    }
}
