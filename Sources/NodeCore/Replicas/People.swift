import OperationLog

/// Everybody this node has heard of: cards people showed, and records that operations carried.
public struct People: Sendable {
    /// One person.
    public struct Person: Sendable {
        /// The user.
        public let user: UserID
        /// The newest card seen, if the person ever connected or was introduced by one.
        public internal(set) var card: ProfileCard?
        /// The newest records of his devices and their keys.
        public internal(set) var credentials: Credentials?
        /// When a device of his was last connected, in milliseconds since 1970.
        public internal(set) var lastSeen: Int64?
        /// Connections to his devices now.
        public internal(set) var connections = 0

        /// The newest record of his devices.
        public var identity: IdentityRecord? { credentials?.identity }
        /// What to call him.
        public var name: String { card?.name ?? "Unknown" }
        /// Whether a device of his is connected.
        public var isOnline: Bool { connections > 0 }
    }

    private var people: [UserID: Person] = [:]
    private var known = KnownCredentials()

    /// Everybody, by name, then by id.
    public var all: [Person] {
        people.values.sorted { ($0.name, $0.user) < ($1.name, $1.user) }
    }

    /// A person, known or not.
    public internal(set) subscript(user: UserID) -> Person {
        get { people[user] ?? Person(user: user) }
        set { people[user] = newValue }
    }

    /// Whether anything is known of a user.
    public func knows(_ user: UserID) -> Bool { people[user] != nil }

    /// Learns a card; true if it is news.
    mutating func learn(_ card: ProfileCard) -> Bool {
        var person = self[card.user]
        let isNews = person.card.map { card.supersedes($0) } ?? true
        if isNews { person.card = card }
        people[card.user] = person
        return learn(Credentials(identity: card.identity, wraps: [])) || isNews
    }

    /// Learns credentials; true if anything in them is news.
    mutating func learn(_ credentials: Credentials) -> Bool {
        guard known.learn(credentials) else { return false }
        self[credentials.user].credentials = known[credentials.user]
        return true
    }
}
