/// A conversation as the list and the information page show it.
public struct ConversationDescription: Hashable, Sendable, Codable {
    /// How many people a conversation is for.
    public enum Kind: String, APIEnum {
        /// Any number, who may change.
        case group
        /// Two, who stay the same.
        case direct
        case unknown
    }

    /// Whether what the user wrote left this host.
    public enum SyncState: String, APIEnum {
        /// An own message has reached no other host.
        case pending
        /// Each has.
        case synced
        /// Others who are connected have more, which cannot be stored here: the status says why.
        case behind
        case unknown
    }

    /// The node's own user in the conversation.
    public struct Me: Hashable, Sendable, Codable {
        /// The role, absent for somebody who is no member.
        public var role: MemberDescription.Role?
        /// When the person became a member; absent in direct conversations.
        public var joinedAt: String?
        /// Whether the user may read and write on.
        public var isMember: Bool
        /// Whether they wait for room in a full group: true, or absent.
        public var waits: Bool?
        /// What the user may do now.
        public var may: RightsDescription
        /// Whether they are to say whether they want to be in the group: they are invited, or were added and want to be asked.
        public var awaitsAnswer: Bool
        /// The ids of those whose invite they can accept.
        public var invitedBy: [String]
        /// The id of the person who added them; absent if they came by themselves.
        public var addedBy: String?

        package init(
            role: MemberDescription.Role? = nil, joinedAt: String? = nil, isMember: Bool, waits: Bool? = nil,
            may: RightsDescription = RightsDescription(), awaitsAnswer: Bool, invitedBy: [String],
            addedBy: String? = nil
        ) {
            self.role = role
            self.joinedAt = joinedAt
            self.isMember = isMember
            self.waits = waits
            self.may = may
            self.awaitsAnswer = awaitsAnswer
            self.invitedBy = invitedBy
            self.addedBy = addedBy
        }
    }

    /// The id.
    public var id: String
    /// How many people it is for.
    public var kind: Kind
    /// What the conversation is called.
    public var title: String
    /// What the person or thing is called.
    public var name: String?
    /// The description, if one was set.
    public var description: String?
    /// The photo, if one was set.
    public var photo: FileDescription?
    /// What the group is set to; absent in direct conversations.
    public var settings: GroupSettingsDescription?
    /// The members, the most senior first.
    public var members: [MemberDescription]
    /// How many members there are.
    public var memberCount: Int
    /// Who waits for room in a full group, the next one first; absent where nobody does.
    public var waiting: [MemberDescription]?
    /// Who is invited and has not answered.
    public var invited: [InvitedDescription]
    /// The own user.
    public var me: Me
    /// The id of the person who acts as admin while there is none.
    public var actingAdmin: String?
    /// Whether it is put away: by the user, or by itself, because fewer than two members are left or the user left.
    public var archived: Bool
    /// Whether it is first in the list.
    public var pinned: Bool
    /// Until when it does not notify, or "forever"; absent where it does.
    public var mutedUntil: String?
    /// Whether, while it is muted, messages that mention the user notify nevertheless.
    public var mentionsOnly: Bool
    /// The user's own words for it, ascending.
    public var tags: [String]
    /// The text begun.
    public var draft: String?
    /// Whether the others learn what the user reads here, and they what they read.
    public var receipts: Bool
    /// Messages of others since the user last read.
    public var unread: Int
    /// The id of the first of them; absent where there is none, and in lists.
    public var firstUnread: String?
    /// The newest message.
    public var lastMessage: MessageDescription?
    /// When something last happened.
    public var lastActivity: String?
    /// Whether what the user wrote left this host.
    public var sync: SyncState
    /// For how many days messages are kept here; absent forever.
    public var keepDays: Int?

    package init(
        id: String, kind: Kind, title: String, name: String? = nil, description: String? = nil,
        photo: FileDescription? = nil, settings: GroupSettingsDescription? = nil, members: [MemberDescription],
        memberCount: Int, waiting: [MemberDescription]? = nil, invited: [InvitedDescription], me: Me,
        actingAdmin: String? = nil, archived: Bool,
        pinned: Bool, mutedUntil: String? = nil, mentionsOnly: Bool,
        tags: [String], draft: String? = nil, receipts: Bool, unread: Int,
        firstUnread: String? = nil, lastMessage: MessageDescription? = nil,
        lastActivity: String? = nil, sync: SyncState, keepDays: Int? = nil
    ) {
        self.id = id
        self.kind = kind
        self.title = title
        self.name = name
        self.description = description
        self.photo = photo
        self.settings = settings
        self.members = members
        self.memberCount = memberCount
        self.waiting = waiting
        self.invited = invited
        self.me = me
        self.actingAdmin = actingAdmin
        self.archived = archived
        self.pinned = pinned
        self.mutedUntil = mutedUntil
        self.mentionsOnly = mentionsOnly
        self.tags = tags
        self.draft = draft
        self.receipts = receipts
        self.unread = unread
        self.firstUnread = firstUnread
        self.lastMessage = lastMessage
        self.lastActivity = lastActivity
        self.sync = sync
        self.keepDays = keepDays
    }
}
