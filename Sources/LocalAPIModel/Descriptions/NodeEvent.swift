/// Something that happened, for those who watch.
public struct NodeEvent: Hashable, Sendable, Codable {
    /// What happened.
    public enum Kind: String, APIEnum {
        /// There is a new message.
        case message
        /// A message is not what it was.
        case messageChanged = "message_changed"
        /// Somebody received or read more of what this user wrote.
        case receipts
        /// A conversation is not what it was.
        case conversation
        /// What the user decided does not count.
        case overruled
        /// Somebody began or ended writing.
        case typing
        /// More of a file is here, or it is doing otherwise.
        case file
        /// A node was connected or disconnected.
        case peer
        /// Something about a person changed, or they were forgotten.
        case person
        /// The user should know something.
        case warning
        /// The user is notified.
        case notification
        /// A notification is no longer of use.
        case notificationCleared = "notification_cleared"
        /// The user wants to see what a notification is about.
        case notificationOpened = "notification_opened"
        /// Events are missing from the stream.
        case resync
        /// Nothing: the stream is alive.
        case heartbeat
        case unknown
    }

    /// Rises by one; resumes a stream.
    public var id: UInt64
    /// What happened.
    public var type: Kind
    /// The id of the conversation.
    public var conversation: String?
    /// The message, for "message" and "message_changed".
    public var message: MessageDescription?
    /// How many messages are unread in the conversation, for "message"; absent unless somebody follows with "fold" when it comes.
    public var unread: Int?
    /// True for a "conversation" that stands for events about messages which were not told. Absent otherwise.
    public var folded: Bool?
    /// The file, for "file".
    public var file: FileDescription?
    /// The connection, for "peer".
    public var peer: PeerDescription?
    /// The person, for "person"; absent for one who was forgotten.
    public var person: PersonDescription?
    /// The id of the person who was forgotten, for "person". Absent otherwise.
    public var forgotten: String?
    /// What the user decided in vain, for "overruled".
    public var overruled: OverrulingDescription?
    /// What the user is told, for "notification" and "notification_opened".
    public var notification: NotificationDescription?
    /// The people that a "warning" is about, who share a name; for "receipts" those who received or read; for "typing" those who write now,
    /// nobody at its end.
    public var people: [PersonDescription]?
    /// For people: what happened.
    public var text: String?

    package init(
        id: UInt64, type: Kind, conversation: String? = nil, message: MessageDescription? = nil,
        unread: Int? = nil, folded: Bool? = nil, file: FileDescription? = nil, peer: PeerDescription? = nil,
        person: PersonDescription? = nil, forgotten: String? = nil,
        overruled: OverrulingDescription? = nil, notification: NotificationDescription? = nil,
        people: [PersonDescription]? = nil, text: String? = nil
    ) {
        self.id = id
        self.type = type
        self.conversation = conversation
        self.message = message
        self.unread = unread
        self.folded = folded
        self.file = file
        self.peer = peer
        self.person = person
        self.forgotten = forgotten
        self.overruled = overruled
        self.notification = notification
        self.people = people
        self.text = text
    }
}
