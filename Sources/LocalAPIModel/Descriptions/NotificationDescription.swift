/// What a user is notified of in one conversation. It takes the place of the one shown of that conversation before.
public struct NotificationDescription: Hashable, Sendable, Codable {
    /// What happened last.
    public enum Kind: String, APIEnum {
        /// Somebody wrote.
        case message
        /// The user was added to the group.
        case added
        /// The user was added to the group, and is asked whether they stay.
        case asked
        /// The user was invited to the group.
        case invited
        /// The user was removed from the group.
        case removed
        /// The user took over as admin of the group, because none was left.
        case actingAdmin = "acting_admin"
        /// The user has a device more.
        case device
        /// Somebody else answered the user's browser in the place of the node.
        case intruder
        case unknown
    }

    /// What happened last.
    public var type: Kind
    /// The id of the conversation.
    public var conversation: String
    /// Whether the conversation is a group.
    public var isGroup: Bool
    /// The id of the message or change that came last; absent where there is nothing to go to.
    public var message: String?
    /// The id of the person who did it.
    public var sender: String
    /// When the user is told of it.
    public var timestamp: String
    /// One line, harmless to show: "Alice in Family Group", or "3 new messages in Family Group".
    public var title: String
    /// One line of at most 100 characters, harmless to show.
    public var body: String
    /// How many messages it stands for; 0 where nothing was written.
    public var count: Int
    /// How many messages are unread in all conversations.
    public var badge: Int
    /// The photo of the group, or of the person in a direct conversation; absent where there is none.
    public var icon: FileDescription?
    /// Whether a sound is wanted: not in a conversation that is muted, of which only mentions are told.
    public var sound: Bool
    /// Where a click leads: `moot://conversation/ID`, or `moot://conversation/ID/MESSAGE`; of a new device `moot://devices`.
    public var link: String

    package init(
        type: Kind = .message, conversation: String, isGroup: Bool = false, message: String? = nil, sender: String = "",
        timestamp: String = "", title: String, body: String, count: Int, badge: Int = 0, icon: FileDescription? = nil,
        sound: Bool = true, link: String
    ) {
        self.type = type
        self.conversation = conversation
        self.isGroup = isGroup
        self.message = message
        self.sender = sender
        self.timestamp = timestamp
        self.title = title
        self.body = body
        self.count = count
        self.badge = badge
        self.icon = icon
        self.sound = sound
        self.link = link
    }
}
