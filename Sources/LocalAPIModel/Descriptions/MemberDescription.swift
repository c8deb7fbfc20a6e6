/// A member of a conversation.
public struct MemberDescription: Hashable, Sendable, Codable {
    /// What somebody may do in a conversation.
    public enum Role: String, APIEnum {
        case founder, admin, moderator, member
        case unknown
    }

    /// The id of the user.
    public var user: String
    /// What the person or thing is called.
    public var name: String
    /// What the person may do; in a direct conversation ``Role/member``.
    public var role: Role
    /// Whether the person is there.
    public var presence: PersonDescription.Presence
    /// When a device was last connected; absent if never.
    public var lastSeen: String?
    /// When the person became a member; absent in direct conversations.
    public var joinedAt: String?
    /// The id of the person who added the person; absent for the founder.
    public var addedBy: String?
    /// Whether codes were compared in person.
    public var verified: Bool
    /// Whether the user does not want to hear the person.
    public var blocked: Bool
    /// Whether the person ended their identity, which is permanent. Show a placeholder.
    public var deleted: Bool
    /// The photo the person shows; absent for somebody blocked.
    public var photo: FileDescription?
    /// Whether what is written now can be sealed for them: not before a key of their node was seen.
    public var canRead: Bool

    package init(
        user: String, name: String, role: Role, presence: PersonDescription.Presence, lastSeen: String? = nil,
        joinedAt: String? = nil, addedBy: String? = nil, verified: Bool, blocked: Bool, deleted: Bool = false,
        photo: FileDescription? = nil, canRead: Bool
    ) {
        self.user = user
        self.name = name
        self.role = role
        self.presence = presence
        self.lastSeen = lastSeen
        self.joinedAt = joinedAt
        self.addedBy = addedBy
        self.verified = verified
        self.blocked = blocked
        self.deleted = deleted
        self.photo = photo
        self.canRead = canRead
    }
}

/// Somebody who is invited to a group and has not answered.
public struct InvitedDescription: Hashable, Sendable, Codable {
    /// The id of the user.
    public var user: String
    /// What the person is called.
    public var name: String
    /// The id of the person who invited them.
    public var invitedBy: String

    package init(user: String, name: String, invitedBy: String) {
        self.user = user
        self.name = name
        self.invitedBy = invitedBy
    }
}

/// Some members of a conversation, the most senior first.
public struct MemberPage: Hashable, Sendable, Codable {
    /// The members.
    public var members: [MemberDescription]
    /// How many members there are in all.
    public var memberCount: Int
    /// Pass as `after` for the next page; absent at the end.
    public var next: String?

    package init(members: [MemberDescription], memberCount: Int, next: String? = nil) {
        self.members = members
        self.memberCount = memberCount
        self.next = next
    }
}
