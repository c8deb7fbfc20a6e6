/// A device of a person.
public struct DeviceDescription: Hashable, Sendable, Codable {
    /// Whether it is one of their devices.
    public enum State: String, APIEnum {
        /// It is.
        case active
        /// It was taken out; what it wrote counts.
        case retired
        /// It was taken out because it is somebody else's.
        case revoked
        case unknown
    }

    /// The device.
    public var id: String
    /// What it is called; whoever meets the user reads it.
    public var name: String
    /// Whether it is the one that answers.
    public var isThis: Bool
    /// Whether it is connected to the one that answers, or is that.
    public var online: Bool
    /// Whether it is one of the person's devices.
    public var state: State
    /// When a conversation first told of it; absent where none has.
    public var addedAt: String?
    /// When it was last heard of; absent if never.
    public var lastSeen: String?
    /// Whether it holds the key that certifies devices; absent where that is not known.
    public var holdsRoot: Bool?

    package init(
        id: String, name: String, isThis: Bool, online: Bool, state: State = .active, addedAt: String? = nil,
        lastSeen: String? = nil, holdsRoot: Bool? = nil
    ) {
        self.id = id
        self.name = name
        self.isThis = isThis
        self.online = online
        self.state = state
        self.addedAt = addedAt
        self.lastSeen = lastSeen
        self.holdsRoot = holdsRoot
    }
}
