/// The node's answers as the local API and the command line print them. Keys become `snake_case`; ids are lowercase
/// hexadecimal; times are RFC 3339 with milliseconds in UTC.

/// A person as a user meets him.
public struct PersonDescription: Hashable, Sendable, Codable {
    public var user: String
    public var name: String
    /// "online" or "offline".
    public var presence: String
    public var lastSeen: String?
    public var verified: Bool
    public var devices: [String]
    /// Whether this is the node's own user.
    public var isMe: Bool
}

/// A connected node.
public struct PeerDescription: Hashable, Sendable, Codable {
    public var device: String
    public var user: String
    public var name: String
    public var address: String
    /// "outgoing" or "incoming".
    public var direction: String
    public var connectedAt: String
    public var roundTripMilliseconds: Double?
}

/// Who this node is.
public struct IdentityDescription: Hashable, Sendable, Codable {
    public var user: String
    public var name: String
    public var device: String
    public var deviceName: String
    public var home: String
}

/// How the node is doing.
public struct StatusDescription: Hashable, Sendable, Codable {
    /// One conversation's sync state.
    public struct Sync: Hashable, Sendable, Codable {
        public var conversation: String
        public var title: String
        /// "synced", "pulling" or "behind".
        public var state: String
        /// Devices connected that hold exactly what we hold.
        public var peersInSync: [String]
        public var pullingFrom: String?
        public var operations: Int
        /// Received operations that wait for others.
        public var pending: Int
    }

    public var version: String
    public var user: String
    public var name: String
    public var device: String
    public var uptimeSeconds: Double
    public var listening: [String]
    public var discovery: Bool
    public var peers: [PeerDescription]
    public var conversations: [Sync]
    public var databaseBytes: Int64
    public var residentBytes: Int64
    /// "writable", or why nothing can be written now.
    public var storage: String
}

/// A member of a conversation.
public struct MemberDescription: Hashable, Sendable, Codable {
    public var user: String
    public var name: String
    /// "founder", "admin", "moderator" or "member"; in a direct conversation "member".
    public var role: String
    public var presence: String
    public var lastSeen: String?
    public var joinedAt: String?
    public var addedBy: String?
    public var verified: Bool
}

/// A conversation as the list and the information page show it.
public struct ConversationDescription: Hashable, Sendable, Codable {
    /// The node's own user in the conversation.
    public struct Me: Hashable, Sendable, Codable {
        public var role: String?
        public var joinedAt: String?
        public var isMember: Bool
    }

    public var id: String
    /// "group" or "direct".
    public var kind: String
    public var title: String
    public var name: String?
    public var description: String?
    public var members: [MemberDescription]
    public var memberCount: Int
    public var me: Me
    public var actingAdmin: String?
    public var archived: Bool
    public var unread: Int
    public var lastMessage: MessageDescription?
    public var lastActivity: String?
    /// "pending" while an own message has reached no other host, else "synced".
    public var sync: String
}

/// A message as every replica shows it.
public struct MessageDescription: Hashable, Sendable, Codable {
    /// What a system message reports.
    public struct System: Hashable, Sendable, Codable {
        /// "created", "added", "removed", "left", "promoted", "demoted", "renamed", "description", "acting_admin".
        public var action: String
        public var actor: String?
        public var targets: [String]
        public var value: String?
    }

    public var id: String
    public var conversation: String
    /// "text" or "system".
    public var kind: String
    public var sender: String?
    public var senderName: String?
    public var text: String
    public var sentAt: String
    public var receivedAt: String?
    public var replyTo: String?
    /// For own messages: "pending" (on no other host) or "delivered".
    public var phase: String?
    public var deliveredTo: [String]
    public var system: System?
}

/// A page of messages in the order every replica shows them, oldest first.
public struct MessagePage: Hashable, Sendable, Codable {
    public var messages: [MessageDescription]
    /// Pass as `before` for the page of older messages; nil at the beginning.
    public var earlier: String?
    /// Pass as `after` for the page of newer messages; nil at the end.
    public var later: String?
}

/// How the replicas of connected members compare with ours.
public struct VerificationDescription: Hashable, Sendable, Codable {
    /// One replica of a conversation on another host.
    public struct Replica: Hashable, Sendable, Codable {
        public var device: String
        public var name: String
        /// "equal", "different" or "unreachable".
        public var state: String
    }
    /// One conversation.
    public struct Conversation: Hashable, Sendable, Codable {
        public var conversation: String
        public var title: String
        public var operations: Int
        /// Hexadecimal digest of both lanes' frontiers: equal digests, equal replicas.
        public var digest: String
        public var replicas: [Replica]
        public var equal: Bool
    }

    public var conversations: [Conversation]
    /// Whether every reachable member's replica equals ours.
    public var equal: Bool
}

/// One operation of a conversation's membership lane with its verdict.
public struct MembershipEntryDescription: Hashable, Sendable, Codable {
    public var id: String
    public var author: String
    public var authorName: String
    public var type: String
    public var time: String
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
    /// "message", "conversation", "membership", "peer", "person", "warning" or "resync".
    public var type: String
    public var conversation: String?
    public var message: MessageDescription?
    public var peer: PeerDescription?
    public var person: PersonDescription?
    /// For people: what happened.
    public var text: String?
}
