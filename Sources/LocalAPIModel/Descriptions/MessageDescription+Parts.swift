extension MessageDescription {
    /// An emoji that people gave a message.
    public struct Reaction: Hashable, Sendable, Codable {
        /// The emoji.
        public var emoji: String
        /// The ids of the people, the first one first.
        public var users: [String]
        /// Their names.
        public var names: [String]

        package init(emoji: String, users: [String], names: [String]) {
            self.emoji = emoji
            self.users = users
            self.names = names
        }
    }

    /// Why a message does not count.
    public struct Uncounted: Hashable, Sendable, Codable {
        /// The rule by which it is cut off: a stable code.
        public var rule: String
        /// The same in words, with who did what.
        public var reason: String
        /// The id of the operation that decided: what took the author out, made them a member or set who writes.
        public var decidedBy: String?
        /// Of an operation that made the author a member the rule by which it is void.
        public var voidRule: String?

        package init(rule: String, reason: String, decidedBy: String? = nil, voidRule: String? = nil) {
            self.rule = rule
            self.reason = reason
            self.decidedBy = decidedBy
            self.voidRule = voidRule
        }
    }

    /// The beginning of a message that another one answers.
    public struct Quote: Hashable, Sendable, Codable {
        /// Characters of text a quote has at most.
        public static let maximumLength = 100

        /// The id of the message.
        public var id: String
        /// The id of its author.
        public var sender: String
        /// The author's name.
        public var senderName: String
        /// The beginning of its first line; empty where it cannot be read.
        public var text: String
        /// As of the message.
        public var readability: Readability

        package init(id: String, sender: String, senderName: String, text: String, readability: Readability) {
            self.id = id
            self.sender = sender
            self.senderName = senderName
            self.text = text
            self.readability = readability
        }
    }
}
