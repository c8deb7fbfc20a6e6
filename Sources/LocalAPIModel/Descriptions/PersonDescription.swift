/// A person as a user meets them.
public struct PersonDescription: Hashable, Sendable, Codable {
    /// Whether somebody is there.
    public enum Presence: String, APIEnum {
        /// A device of the person is connected.
        case online
        /// None is.
        case offline
        case unknown
    }

    /// The id of the user.
    public var user: String
    /// What the person or thing is called.
    public var name: String
    /// The same for two people whose names a reader does not tell apart. It is for comparing only.
    public var nameLook: String
    /// Whether the person is there.
    public var presence: Presence
    /// When a device was last connected; absent if never.
    public var lastSeen: String?
    /// Whether codes were compared in person.
    public var verified: Bool
    /// Whether the user does not want to hear the person.
    public var blocked: Bool
    /// Whether the person ended their identity, which is permanent. Show a placeholder.
    public var deleted: Bool
    /// The photo the person shows; absent for somebody blocked.
    public var photo: FileDescription?
    /// The ids of the devices.
    public var devices: [String]
    /// Whether this is the node's own user.
    public var isMe: Bool

    package init(
        user: String, name: String, nameLook: String, presence: Presence, lastSeen: String? = nil, verified: Bool,
        blocked: Bool,
        deleted: Bool = false, photo: FileDescription? = nil, devices: [String], isMe: Bool
    ) {
        self.user = user
        self.name = name
        self.nameLook = nameLook
        self.presence = presence
        self.lastSeen = lastSeen
        self.verified = verified
        self.blocked = blocked
        self.deleted = deleted
        self.photo = photo
        self.devices = devices
        self.isMe = isMe
    }
}

/// What two people compare to be sure that nobody stands between them.
public struct ComparisonDescription: Hashable, Sendable, Codable {
    /// Six groups of five digits; the other person's node shows the same.
    public var code: String
    /// The node's own user.
    public var me: PersonDescription
    /// The other person.
    public var person: PersonDescription

    package init(code: String, me: PersonDescription, person: PersonDescription) {
        self.code = code
        self.me = me
        self.person = person
    }
}
