import Blobs
import Conversations
import OperationLog

/// Everybody this node has heard of: cards people showed, and records that operations carried.
public struct People: Sendable {
    /// One person.
    public struct Person: Sendable {
        /// The user.
        public let user: UserID
        /// The newest card seen, if the person ever connected or was introduced by one.
        public fileprivate(set) var card: ProfileCard?
        /// The photo on that card.
        public fileprivate(set) var photo: PhotoReference?
        /// The newest records of their devices and their keys.
        public internal(set) var credentials: Credentials?
        /// When a device of theirs was last connected, in milliseconds since 1970.
        public internal(set) var lastSeen: Int64?
        /// Connections to their devices now.
        public internal(set) var connections = 0
        /// Whether the user compared codes with them, or scanned theirs.
        public internal(set) var isVerified = false

        /// The newest record of their devices.
        public var identity: IdentityRecord? { credentials?.identity }
        /// What to call them.
        public var name: String { card?.name ?? "Unknown" }
        /// Whether a device of theirs is connected.
        public var isOnline: Bool { connections > 0 }

        /// The name as far as a person tells it from another.
        fileprivate var nameAsHeard: String {
            var visible = String.UnicodeScalarView()
            visible.append(contentsOf: name.unicodeScalars.filter { !$0.properties.isDefaultIgnorableCodePoint })
            return String(visible).lowercased()
        }
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

    /// Everybody who shares their name with somebody else, name by name; the verified ones first.
    ///
    /// Names that differ only in case or in characters nobody sees count as one: whoever takes another's name on purpose would
    /// not write it quite alike.
    public var namesakes: [[Person]] {
        Dictionary(grouping: all.filter { $0.card != nil }, by: \.nameAsHeard).values
            .filter { $0.count > 1 }
            .map { $0.sorted { ($0.isVerified ? 0 : 1, $0.user) < ($1.isVerified ? 0 : 1, $1.user) } }
            .sorted { ($0[0].nameAsHeard, $0[0].user) < ($1[0].nameAsHeard, $1[0].user) }
    }

    /// Everybody else of the name that a person shows.
    func namesakes(of user: UserID) -> [Person] {
        let name = self[user].nameAsHeard
        return people.values.filter { $0.user != user && $0.card != nil && $0.nameAsHeard == name }
            .sorted { $0.user < $1.user }
    }

    /// Forgets a person.
    mutating func forget(_ user: UserID) {
        people[user] = nil
        known.forget(user)
    }

    /// Learns a card; true if it is news.
    mutating func learn(_ card: ProfileCard) -> Bool {
        var person = self[card.user]
        let isNews = person.card.map { card.supersedes($0) } ?? true
        if isNews {
            person.card = card
            person.photo = card.photoReference
        }
        people[card.user] = person
        return learn(Credentials(identity: card.identity, wraps: [])) || isNews
    }

    /// Learns credentials; true if anything in them is news.
    mutating func learn(_ credentials: Credentials) -> Bool {
        let before = known[credentials.user]?.identity
        guard known.learn(credentials) else { return false }
        let after = known[credentials.user]
        // Else somebody could name ever other devices, whose keys would pile up.
        let gone = before?.devices.filter { entry in after?.identity.devices.contains(entry) != true } ?? []
        known.forgetKeys(
            of: gone.map(\.device.id).filter { id in after?.identity.devices.contains { $0.device.id == id } != true })
        self[credentials.user].credentials = after
        return true
    }
}
