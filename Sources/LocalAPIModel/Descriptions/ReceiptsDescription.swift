/// How far an own message has come.
public struct DeliveryState: Hashable, Sendable, Codable {
    /// The farthest that a message has come with anybody.
    public enum Phase: String, APIEnum {
        /// Nobody else is known to have it.
        case pending
        /// Somebody has it.
        case delivered
        /// Somebody has read it.
        case read
        /// Nobody will ever have it.
        case failed
        case unknown
    }

    /// A person and when.
    public struct Receipt: Hashable, Sendable, Codable {
        /// The id of the user.
        public var user: String
        /// When, by their clock: not later than that.
        public var at: String

        package init(user: String, at: String) {
            self.user = user
            self.at = at
        }
    }

    /// The farthest that it has come with anybody.
    public var phase: Phase
    /// Why it has failed, in words.
    public var reason: String?
    /// How many people it was written for who have it or may still get it.
    public var recipients: Int
    /// Who has it, those who read it among them; nobody for a change to the group, of which only is known whether anybody has it.
    public var deliveredTo: [Receipt]
    /// Who has read it; nobody where the user does not show what they read themselves.
    public var readBy: [Receipt]

    package init(
        phase: Phase, reason: String? = nil, recipients: Int, deliveredTo: [Receipt] = [], readBy: [Receipt] = []
    ) {
        self.phase = phase
        self.reason = reason
        self.recipients = recipients
        self.deliveredTo = deliveredTo
        self.readBy = readBy
    }
}

/// Whom a message of this user reached, by name.
public struct ReceiptsDescription: Hashable, Sendable, Codable {
    /// A person, and when they got so far.
    public struct Person: Hashable, Sendable, Codable {
        /// The id of the user.
        public var user: String
        /// What the person is called.
        public var name: String
        /// When, by their clock: not later than that; absent where they have not got it.
        public var at: String?

        package init(user: String, name: String, at: String? = nil) {
            self.user = user
            self.name = name
            self.at = at
        }
    }

    /// The id of the message.
    public var message: String
    /// The id of the conversation.
    public var conversation: String
    /// The farthest that it has come with anybody.
    public var phase: DeliveryState.Phase
    /// Who has read it, the first one first.
    public var read: [Person]
    /// Who has it and is not known to have read it.
    public var delivered: [Person]
    /// Who is not known to have it.
    public var missing: [Person]
    /// Whether the user is told who read it: not where they do not show what they read themselves.
    public var readsShown: Bool

    package init(
        message: String, conversation: String, phase: DeliveryState.Phase, read: [Person], delivered: [Person],
        missing: [Person], readsShown: Bool
    ) {
        self.message = message
        self.conversation = conversation
        self.phase = phase
        self.read = read
        self.delivered = delivered
        self.missing = missing
        self.readsShown = readsShown
    }
}
