import NodeCore

/// The node's answers as the local API and the command line print them. Keys become `snake_case`; ids are lowercase
/// hexadecimal; times are RFC 3339 with milliseconds in UTC.

/// A person as a user meets them.
public struct PersonDescription: Hashable, Sendable, Codable {
    /// The id of the user.
    public var user: String
    /// What the person or thing is called.
    public var name: String
    /// "online" or "offline".
    public var presence: String
    /// When a device was last connected; absent if never.
    public var lastSeen: String?
    /// Whether codes were compared in person.
    public var verified: Bool
    /// Whether the user does not want to hear the person.
    public var blocked: Bool
    /// The photo the person shows; absent for somebody blocked.
    public var photo: FileDescription?
    /// The ids of the devices.
    public var devices: [String]
    /// Whether this is the node's own user.
    public var isMe: Bool
}

/// What two people compare to be sure that nobody stands between them.
public struct ComparisonDescription: Hashable, Sendable, Codable {
    /// Six groups of five digits; the other person's node shows the same.
    public var code: String
    /// The node's own user.
    public var me: PersonDescription
    /// The other person.
    public var person: PersonDescription
}

/// How people whom discovery does not reach can find this node.
public struct ContactDescription: Hashable, Sendable, Codable {
    /// One line of text, made for `POST /people` of another node.
    public var code: String
    /// The addresses in it, `host:port` each.
    public var addresses: [String]
}

/// A connected node.
public struct PeerDescription: Hashable, Sendable, Codable {
    /// The id of the device.
    public var device: String
    /// The id of the user.
    public var user: String
    /// What the person or thing is called.
    public var name: String
    /// `host:port` of the other side.
    public var address: String
    /// "outgoing" or "incoming".
    public var direction: String
    /// When the connection began.
    public var connectedAt: String
    /// The smoothed round trip; absent until measured.
    public var roundTripMilliseconds: Double?
}

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
}

/// A node that stops because its home was locked.
public struct LockDescription: Hashable, Sendable, Codable {
    /// Always true.
    public var locked: Bool
    /// The process that ends.
    public var pid: Int32
}

/// How the node is doing.
public struct StatusDescription: Hashable, Sendable, Codable {
    /// One conversation's sync state.
    public struct Sync: Hashable, Sendable, Codable {
        /// The id of the conversation.
        public var conversation: String
        /// What the conversation is called.
        public var title: String
        /// "synced", "pulling" or "behind".
        public var state: String
        /// Devices connected that hold exactly what we hold.
        public var peersInSync: [String]
        /// The device operations are being fetched from, if any.
        public var pullingFrom: String?
        /// Operations held in both lanes.
        public var operations: Int
        /// Received operations that wait for others.
        public var pending: Int
        /// Texts that are not here yet and are asked for.
        public var wanted: Int
    }

    /// The version of the program.
    public var version: String
    /// The version of the protocol: of what nodes tell each other.
    public var protocolVersion: Int
    /// The version of the database's schema.
    public var schemaVersion: Int
    /// The id of the user.
    public var user: String
    /// What the person or thing is called.
    public var name: String
    /// The id of the device.
    public var device: String
    /// Seconds since the start.
    public var uptimeSeconds: Double
    /// Addresses peers can dial.
    public var listening: [String]
    /// Whether beacons are sent and heard.
    public var discovery: Bool
    /// The connected nodes.
    public var peers: [PeerDescription]
    /// The conversations.
    public var conversations: [Sync]
    /// Messages of others since the user last read, in all conversations that are not archived.
    public var unread: Int
    /// Bytes of the database file.
    public var databaseBytes: Int64
    /// Bytes free for the node on that file's disk; absent if the system does not say.
    public var freeBytes: Int64?
    /// Bytes that files take on disk, also those that are on their way.
    public var filesBytes: Int64
    /// Bytes that they may take.
    public var filesQuota: Int64
    /// Bytes of memory occupied.
    public var residentBytes: Int64
    /// "writable", or why nothing can be written now.
    public var storage: String
    /// People who share a name, name by name, the verified ones first: one of them may pretend to be the other.
    public var namesakes: [[PersonDescription]]
    /// Devices whose clocks differ from this host's by more than five minutes, as of what each wrote last.
    public var clocks: [ClockDescription]
    /// The id of the latest event: whoever follows from here sees all that is newer than this answer.
    public var lastEvent: UInt64
}

/// A device whose clock differs from this host's.
public struct ClockDescription: Hashable, Sendable, Codable {
    /// The id of the device.
    public var device: String
    /// The id of its user.
    public var user: String
    /// What the person is called.
    public var name: String
    /// By how many seconds the device's clock is ahead; negative where it is behind.
    public var secondsAhead: Int64
}

/// A member of a conversation.
public struct MemberDescription: Hashable, Sendable, Codable {
    /// The id of the user.
    public var user: String
    /// What the person or thing is called.
    public var name: String
    /// "founder", "admin", "moderator" or "member"; in a direct conversation "member".
    public var role: String
    /// "online" or "offline".
    public var presence: String
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
    /// The photo the person shows; absent for somebody blocked.
    public var photo: FileDescription?
    /// Whether what is written now can be sealed for them: not before a key of their node was seen.
    public var canRead: Bool
}

/// Somebody who is invited to a group and has not answered.
public struct InvitedDescription: Hashable, Sendable, Codable {
    /// The id of the user.
    public var user: String
    /// What the person is called.
    public var name: String
    /// The id of the person who invited them.
    public var invitedBy: String
}

/// A code by which one person can join a group, as it is shown once.
public struct NewCodeDescription: Hashable, Sendable, Codable {
    /// The id of the invite.
    public var id: String
    /// The id of the group.
    public var conversation: String
    /// One line of text, made for `POST /join` of another node. A secret until it is used.
    public var code: String
    /// When it ends.
    public var expiresAt: String
    /// The addresses in it, `host:port` each.
    public var addresses: [String]
}

/// A code by which somebody could join a group now.
public struct CodeDescription: Hashable, Sendable, Codable {
    /// The id of the invite.
    public var id: String
    /// The id of the person who made it.
    public var inviter: String
    /// What that person is called.
    public var inviterName: String
    /// When it ends.
    public var expiresAt: String
}

/// Some members of a conversation, the most senior first.
public struct MemberPage: Hashable, Sendable, Codable {
    /// The members.
    public var members: [MemberDescription]
    /// How many members there are in all.
    public var memberCount: Int
    /// Pass as `after` for the next page; absent at the end.
    public var next: String?
}

/// A conversation as the list and the information page show it.
public struct ConversationDescription: Hashable, Sendable, Codable {
    /// The node's own user in the conversation.
    public struct Me: Hashable, Sendable, Codable {
        /// The role, absent for somebody who is no member.
        public var role: String?
        /// When the person became a member; absent in direct conversations.
        public var joinedAt: String?
        /// Whether the user may read and write on.
        public var isMember: Bool
        /// Whether they are to say whether they want to be in the group: they are invited, or were added and want to be asked.
        public var awaitsAnswer: Bool
        /// The ids of those whose invite they can accept.
        public var invitedBy: [String]
        /// The id of the person who added them; absent if they came by themselves.
        public var addedBy: String?
    }

    /// The id.
    public var id: String
    /// "group" or "direct".
    public var kind: String
    /// What the conversation is called.
    public var title: String
    /// What the person or thing is called.
    public var name: String?
    /// The description, if one was set.
    public var description: String?
    /// The photo, if one was set.
    public var photo: FileDescription?
    /// The members, the most senior first.
    public var members: [MemberDescription]
    /// How many members there are.
    public var memberCount: Int
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
    /// The newest message.
    public var lastMessage: MessageDescription?
    /// When something last happened.
    public var lastActivity: String?
    /// "pending" while an own message has reached no other host, else "synced".
    public var sync: String
    /// For how many days messages are kept here; absent forever.
    public var keepDays: Int?
}

/// A message as every replica shows it.
public struct MessageDescription: Hashable, Sendable, Codable {
    /// What a system message reports.
    public struct System: Hashable, Sendable, Codable {
        /// "created", "added", "joined", "removed", "left", "promoted", "demoted", "renamed", "description", "photo", "setting",
        /// "acting_admin".
        public var action: String
        /// The id of the person who did it.
        public var actor: String?
        /// The ids of the people it happened to.
        public var targets: [String]
        /// The new name or role, or "setting=value", where there is one.
        public var value: String?
    }

    /// The id.
    public var id: String
    /// The id of the conversation.
    public var conversation: String
    /// "text", "file" or "system".
    public var kind: String
    /// The id of the author; absent for system messages.
    public var sender: String?
    /// The author's name.
    public var senderName: String?
    /// The text; empty where it cannot be read.
    public var text: String
    /// "open", "closed" (for the members of another moment), "wanted" (not here yet), "declined" (no room for it
    /// here), "expired" (erased here), "unreadable", "deleted" or "blocked" (of somebody whom the user blocked).
    public var readability: String
    /// Why it is unreadable: a stable code.
    public var unreadable: String?
    /// The same in words.
    public var unreadableReason: String?
    /// When the author says it was written.
    public var sentAt: String
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
    /// True where its author was removed or left, and whoever wrote that had not seen the message: it does not count, and may have been written
    /// at any time since. Absent otherwise.
    public var afterRemoval: Bool?
    /// For own messages: how far it has come.
    public var state: DeliveryState?
    /// What a system message reports.
    public var system: System?
    /// Who can fill the gap, where the text is not here yet.
    public var gap: GapDescription?
}

/// A page of messages in the order every replica shows them, oldest first.
public struct MessagePage: Hashable, Sendable, Codable {
    /// The messages, oldest first.
    public var messages: [MessageDescription]
    /// Pass as `before` for the page of older messages; nil at the beginning.
    public var earlier: String?
    /// Pass as `after` for the page of newer messages; nil at the end.
    public var later: String?
    /// What is missing of the conversation besides the texts of these messages; only on the page that ends with the newest ones.
    public var gaps: [GapDescription]?
}

/// A message that a search found.
public struct SearchHit: Hashable, Sendable, Codable {
    /// The message.
    public var message: MessageDescription
    /// What its conversation is called.
    public var title: String
    /// Its text on one line, cut to the surroundings of the first word that was found.
    public var excerpt: String
}

/// What a search found, the latest arrivals first.
public struct SearchPage: Hashable, Sendable, Codable {
    /// The messages.
    public var hits: [SearchHit]
    /// Pass as `before` for the next page; absent at the end.
    public var earlier: String?
}

/// Something the user decided that does not count, because somebody else decided at the same time.
public struct OverrulingDescription: Hashable, Sendable, Codable {
    /// The operation of the user.
    public var operation: String
    /// "name", "description", "photo" or a setting; absent for what is void.
    public var field: String?
    /// The value the user gave, to be given again if they want; absent for a photo.
    public var yours: String?
    /// The value that counts; absent for a photo.
    public var theirs: String?
    /// The id of the person who gave it.
    public var by: String?
}

/// How the replicas of connected members compare with ours.
public struct VerificationDescription: Hashable, Sendable, Codable {
    /// One replica of a conversation on another host.
    public struct Replica: Hashable, Sendable, Codable {
        /// The id of the device.
        public var device: String
        /// What the person or thing is called.
        public var name: String
        /// "equal", "different" or "unreachable".
        public var state: String
    }
    /// One conversation.
    public struct Conversation: Hashable, Sendable, Codable {
        /// The id of the conversation.
        public var conversation: String
        /// What the conversation is called.
        public var title: String
        /// Operations held in both lanes.
        public var operations: Int
        /// Hexadecimal digest of both lanes' frontiers: equal digests, equal replicas.
        public var digest: String
        /// The replicas on other hosts.
        public var replicas: [Replica]
        /// Whether no reachable replica differs.
        public var equal: Bool
        /// What is missing here, and who can fill it.
        public var gaps: [GapDescription]
    }

    /// The conversations.
    public var conversations: [Conversation]
    /// Whether every reachable member's replica equals ours.
    public var equal: Bool
}

/// One operation of a conversation's membership lane with its verdict.
public struct MembershipEntryDescription: Hashable, Sendable, Codable {
    /// The id.
    public var id: String
    /// The id of the author.
    public var author: String
    /// The author's name.
    public var authorName: String
    /// The type of the operation.
    public var type: String
    /// When its author says it was written.
    public var time: String
    /// Whether it counts.
    public var effective: Bool
    /// In words: what it did, or why it is void.
    public var sentence: String
    /// The rule that voided it.
    public var rule: String?
    /// The operation that voided it.
    public var decidedBy: String?
}

/// Something that happened, for those who watch.
public struct NodeEvent: Hashable, Sendable, Codable {
    /// Rises by one; resumes a stream.
    public var id: UInt64
    /// "message", "message_changed", "receipts" (somebody received or read more of what this user wrote), "conversation", "overruled",
    /// "typing", "file" (more of it is here, or it is doing otherwise), "peer", "person", "warning", "notification",
    /// "notification_cleared", "notification_opened" (the user wants to see it) or "resync".
    public var type: String
    /// The id of the conversation.
    public var conversation: String?
    /// The message, for "message" and "message_changed".
    public var message: MessageDescription?
    /// The file, for "file".
    public var file: FileDescription?
    /// The connection, for "peer".
    public var peer: PeerDescription?
    /// The person, for "person".
    public var person: PersonDescription?
    /// What the user decided in vain, for "overruled".
    public var overruled: OverrulingDescription?
    /// What the user is told, for "notification" and "notification_opened".
    public var notification: NotificationDescription?
    /// The people that a "warning" is about, who share a name; for "receipts" those who received or read; for "typing" those who write now,
    /// nobody at its end.
    public var people: [PersonDescription]?
    /// For people: what happened.
    public var text: String?
}
