/// A message as every replica shows it.
public struct MessageDescription: Hashable, Sendable, Codable {
    /// What a message is.
    public enum Kind: String, APIEnum {
        /// A text that somebody wrote.
        case text
        /// Files that somebody sent, with a text or without.
        case file
        /// A report of the conversation itself.
        case system
        case unknown
    }

    /// Whether a text can be read, or why not.
    public enum Readability: String, APIEnum {
        /// It is here.
        case open
        /// It is for the members of another moment.
        case closed
        /// It is not here yet.
        case wanted
        /// There is no room for it here.
        case declined
        /// It was erased here.
        case expired
        /// It is broken.
        case unreadable
        /// It was deleted.
        case deleted
        /// It is of somebody whom the user blocked.
        case blocked
        case unknown
    }

    /// What a system message reports.
    public struct System: Hashable, Sendable, Codable {
        /// What happened.
        public enum Action: String, APIEnum {
            case created, added, joined, removed, left, promoted, demoted, renamed, description, photo, setting
            case actingAdmin = "acting_admin"
            case unknown
        }

        /// What happened.
        public var action: Action
        /// The id of the person who did it.
        public var actor: String?
        /// The ids of the people it happened to; of a creation those who were added at once.
        public var targets: [String]
        /// The new name or role, or "setting=value", where there is one.
        public var value: String?
        /// True where it changed nothing, because what somebody else wrote at the same time decides. Absent otherwise.
        public var overruled: Bool?

        package init(
            action: Action, actor: String? = nil, targets: [String], value: String? = nil, overruled: Bool? = nil
        ) {
            self.action = action
            self.actor = actor
            self.targets = targets
            self.value = value
            self.overruled = overruled
        }
    }

    /// The id.
    public var id: String
    /// The id of the conversation.
    public var conversation: String
    /// What it is.
    public var kind: Kind
    /// The id of the author; absent for system messages.
    public var sender: String?
    /// The author's name.
    public var senderName: String?
    /// The text; empty where it cannot be read.
    public var text: String
    /// Whether its text can be read, or why not.
    public var readability: Readability
    /// Why it is unreadable: a stable code.
    public var unreadable: String?
    /// The same in words.
    public var unreadableReason: String?
    /// When the author says it was written.
    public var sentAt: String
    /// What the client called the request that sent it: for messages of the user that were sent lately, since the node started.
    public var clientId: String?
    /// When it came to this node.
    public var receivedAt: String?
    /// The id of the message it answers.
    public var replyTo: String?
    /// The beginning of that message, where it is here.
    public var quote: Quote?
    /// The ids of the people whom the text names.
    public var mentions: [String] = []
    /// When the author says that they changed the text last; absent if they never did.
    public var editedAt: String?
    /// Whether it was deleted.
    public var deleted = false
    /// The id of the person who deleted it.
    public var deletedBy: String?
    /// The emoji people gave it, in the order in which each was first given.
    public var reactions: [Reaction] = []
    /// The files it carries.
    public var files: [FileDescription] = []
    /// Whether it is pinned to the conversation.
    public var pinned = false
    /// True if the message does not count, for whatever reason. Absent otherwise.
    public var afterRemoval: Bool?
    /// Why the message does not count. Absent if it does.
    public var uncounted: Uncounted?
    /// For own messages: how far it has come.
    public var state: DeliveryState?
    /// What a system message reports.
    public var system: System?
    /// Who can fill the gap, where the text is not here yet.
    public var gap: GapDescription?

    package init(
        id: String, conversation: String, kind: Kind, sender: String? = nil, senderName: String? = nil, text: String,
        readability: Readability, unreadable: String? = nil, unreadableReason: String? = nil, sentAt: String,
        clientId: String? = nil, receivedAt: String? = nil, replyTo: String? = nil, quote: Quote? = nil,
        mentions: [String] = [],
        editedAt: String? = nil, deleted: Bool = false, deletedBy: String? = nil, reactions: [Reaction] = [],
        files: [FileDescription] = [], pinned: Bool = false, uncounted: Uncounted? = nil, state: DeliveryState? = nil,
        system: System? = nil, gap: GapDescription? = nil
    ) {
        self.id = id
        self.conversation = conversation
        self.kind = kind
        self.sender = sender
        self.senderName = senderName
        self.text = text
        self.readability = readability
        self.unreadable = unreadable
        self.unreadableReason = unreadableReason
        self.sentAt = sentAt
        self.clientId = clientId
        self.receivedAt = receivedAt
        self.replyTo = replyTo
        self.quote = quote
        self.mentions = mentions
        self.editedAt = editedAt
        self.deleted = deleted
        self.deletedBy = deletedBy
        self.reactions = reactions
        self.files = files
        self.pinned = pinned
        afterRemoval = uncounted.map { _ in true }
        self.uncounted = uncounted
        self.state = state
        self.system = system
        self.gap = gap
    }
}
