import Blobs
import Conversations
import OperationLog
import Replication
import Time

/// Everybody this node has heard of: cards people showed, and records that operations carried.
public struct People: Sendable {
    /// One person.
    public struct Person: Sendable {
        /// What somebody is called of whom no name is known.
        static let unknownName = OwnWord.unknown.rawValue
        /// What everybody is called who ended their identity.
        static let deletedName = OwnWord.deletedUser.rawValue

        /// The user.
        public let user: UserID
        /// The newest card seen, if the person ever connected or was introduced by one.
        public fileprivate(set) var card: ProfileCard?
        /// Which card that is.
        public fileprivate(set) var cardVersion: CardVersion?
        /// The photo on that card.
        public fileprivate(set) var photo: PhotoReference?
        /// The newest records of their devices and their keys.
        public internal(set) var credentials: Credentials?
        /// Their devices: those that the newest record certifies, less those taken out.
        public fileprivate(set) var devices: [IdentityRecord.Entry] = []
        /// Their devices that were taken out.
        public fileprivate(set) var tombstones = Tombstones()
        /// When a device of theirs was last connected, in milliseconds since 1970.
        public fileprivate(set) var lastSeen: Int64?
        /// Connections to their devices now.
        public internal(set) var connections = 0
        /// Whether they are a stranger who was here lately and is not connected.
        public internal(set) var isNearby = false
        /// Whether the user compared codes with them, or scanned theirs.
        public fileprivate(set) var isVerified = false

        /// The newest record of their devices.
        public var identity: IdentityRecord? { credentials?.identity }
        /// What to call them: the name on that card as it is shown.
        public fileprivate(set) var name = Self.unknownName
        /// The name as far as a reader tells it from another.
        public fileprivate(set) var look = NameLook(of: Self.unknownName)
        /// Whether a device of theirs is connected.
        public var isOnline: Bool { connections > 0 }
        /// Whether the person ended their identity. Nothing ever undoes it.
        public var isDeleted: Bool { card?.isDeletion == true }

        /// Takes over a card, with what is shown of it.
        fileprivate mutating func show(_ card: ProfileCard) {
            self.card = card
            cardVersion = CardVersion(of: card)
            photo = card.photoReference
            name = card.isDeletion ? Self.deletedName : DisplayName.shown(card.name) ?? Self.unknownName
            look = NameLook(of: name)
        }
    }

    private var people: [UserID: Person] = [:]
    /// With whom the user compared codes, known or not.
    private var verified: Set<UserID> = []
    private var known = KnownCredentials()
    /// Whose each device is.
    private var owners: [DeviceID: UserID] = [:]
    /// Who shows a name of a look: in a crowd everybody is asked for their namesakes when they come.
    private var named: [NameLook: Set<UserID>] = [:]
    /// Those who ended their identity.
    private(set) var deleted: Set<UserID> = []
    /// The devices that people had before what came since that was last asked.
    private var devicesBefore: [UserID: [IdentityRecord.Entry]] = [:]
    /// Those who were seen since that was last stored.
    private var unsavedSightings: Set<UserID> = []

    /// A name without what whoever types it need not know: case, and characters that are not shown.
    public static func asHeard(_ name: String) -> String {
        var visible = String.UnicodeScalarView()
        visible.append(contentsOf: name.unicodeScalars.filter { !$0.properties.isDefaultIgnorableCodePoint })
        return String(visible).lowercased()
    }

    /// Everybody whose name looks like a text, by name, then by id.
    public func alike(_ name: String) -> [Person] {
        let people = (named[NameLook(of: name)] ?? []).compactMap { self.people[$0] }
        return people.sorted { ($0.name, $0.user) < ($1.name, $1.user) }
    }

    /// Everybody whose id begins so.
    public func people(withIDsFrom beginning: String) -> [Person] {
        if let user = UserID(hexadecimal: beginning) { return people[user].map { [$0] } ?? [] }
        return people.values.filter { $0.user.description.hasPrefix(beginning) }.sorted { $0.user < $1.user }
    }

    /// Everybody, by name, then by id.
    public var all: [Person] {
        people.values.sorted { ($0.name, $0.user) < ($1.name, $1.user) }
    }

    /// A person, known or not.
    public internal(set) subscript(user: UserID) -> Person {
        get { people[user] ?? newPerson(user) }
        set { people[user] = newValue }
    }

    private func newPerson(_ user: UserID) -> Person {
        var person = Person(user: user)
        person.isVerified = verified.contains(user)
        return person
    }

    /// Notes whether the user compared codes with somebody. Nothing else becomes known of them by that.
    mutating func setVerified(_ isVerified: Bool, _ user: UserID) {
        if isVerified { verified.insert(user) } else { verified.remove(user) }
        people[user]?.isVerified = isVerified
    }

    /// Whether anything is known of a user.
    public func knows(_ user: UserID) -> Bool { people[user] != nil }

    /// Everybody who shares their name with somebody else, name by name; the verified ones first.
    ///
    /// Names that a reader does not tell apart count as one: an impersonator would not copy a name exactly. Those who
    /// ended their identity are nobody's namesakes: nobody can be taken for them any more.
    public var namesakes: [[Person]] {
        Dictionary(grouping: all.filter { $0.card != nil && !$0.isDeleted }, by: \.look).values
            .filter { $0.count > 1 }
            .map { $0.sorted { ($0.isVerified ? 0 : 1, $0.user) < ($1.isVerified ? 0 : 1, $1.user) } }
            .sorted { ($0[0].look.text, $0[0].user) < ($1[0].look.text, $1[0].user) }
    }

    /// Everybody else of the name that a person shows.
    func namesakes(of user: UserID) -> [Person] {
        let person = self[user]
        guard !person.isDeleted else { return [] }
        return (named[person.look] ?? []).sorted().filter { $0 != user }.compactMap { people[$0] }
            .filter { !$0.isDeleted }
    }

    /// Forgets a person.
    mutating func forget(_ user: UserID) {
        name(user, nil)
        for entry in self[user].devices { owners[entry.device.id] = nil }
        people[user] = nil
        deleted.remove(user)
        known.forget(user)
        devicesBefore[user] = nil
    }

    // MARK: - Seeing

    /// Notes that a device of somebody is connected, or was until now.
    mutating func see(_ user: UserID, at time: Timestamp) {
        self[user].lastSeen = time.milliseconds
        unsavedSightings.insert(user)
    }

    /// Notes that somebody was heard of whom nothing is kept.
    mutating func hear(of user: UserID, at time: Timestamp) { people[user]?.lastSeen = time.milliseconds }

    /// Takes over when somebody was last seen in an earlier run.
    mutating func restore(_ user: UserID, seenAt time: Timestamp) { self[user].lastSeen = time.milliseconds }

    /// When those were last seen of whom that was not stored yet.
    mutating func takeUnsavedSightings() -> [UserID: Timestamp] {
        defer { unsavedSightings = [] }
        return unsavedSightings.reduce(into: [:]) { sightings, user in
            sightings[user] = people[user]?.lastSeen.map { Timestamp(clamping: $0) }
        }
    }

    // MARK: - Devices

    /// What changed about somebody's devices.
    public struct DeviceChange: Hashable, Sendable {
        /// Whose devices they are.
        public let user: UserID
        /// Those that came.
        public let added: [IdentityRecord.Entry]
        /// Those that are gone.
        public let gone: [IdentityRecord.Entry]
    }

    /// What changed, since that was last asked, about the devices of people who were known before.
    mutating func takeDeviceChanges() -> [DeviceChange] {
        guard !devicesBefore.isEmpty else { return [] }
        defer { devicesBefore = [:] }
        return devicesBefore.sorted { $0.key < $1.key }.compactMap { user, before in
            let after = self[user].devices
            let added = after.filter { entry in !before.contains { $0.device == entry.device } }
            let gone = before.filter { entry in !after.contains { $0.device == entry.device } }
            return added.isEmpty && gone.isEmpty ? nil : DeviceChange(user: user, added: added, gone: gone)
        }
    }

    /// Whose a device is, as far as is known.
    func owner(of device: DeviceID) -> UserID? { owners[device] }

    /// Whether a device of a user was taken out, by any tombstone that is known.
    public func isTakenOut(_ device: Device) -> Bool { known.isTakenOut(device.id, of: device.user) }

    /// Everybody of whom some device was taken out, ascending.
    var usersWithTombstones: [UserID] { known.usersWithTombstones.sorted() }

    /// Learns that a device was taken out; true if that is news.
    mutating func learn(_ tombstone: Tombstone) -> Bool {
        guard known.learn(tombstone) else { return false }
        takeOver(tombstone.user)
        return true
    }

    /// Takes over what is known of somebody's devices.
    private mutating func takeOver(_ user: UserID) {
        let before = self[user]
        if before.credentials != nil, devicesBefore[user] == nil { devicesBefore[user] = before.devices }
        self[user].credentials = known[user]
        self[user].devices = known.devices(of: user)
        for entry in before.devices { owners[entry.device.id] = nil }
        for entry in self[user].devices { owners[entry.device.id] = user }
        self[user].tombstones = known.tombstones(of: user)
    }

    // MARK: - Learning

    /// Learns a card; true if it is news.
    mutating func learn(_ card: ProfileCard) -> Bool {
        var person = self[card.user]
        let isNews = person.card.map { card.supersedes($0) } ?? true
        if isNews {
            person.show(card)
            name(card.user, person.look)
        }
        people[card.user] = person
        if person.isDeleted { deleted.insert(card.user) }
        return learn(Credentials(identity: card.identity, wraps: [])) || isNews
    }

    /// Notes how the name looks that somebody shows from now on, before it is theirs; nil for none.
    private mutating func name(_ user: UserID, _ look: NameLook?) {
        if let before = people[user], before.card != nil {
            named[before.look]?.remove(user)
            if named[before.look]?.isEmpty == true { named[before.look] = nil }
        }
        if let look { named[look, default: []].insert(user) }
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
        takeOver(credentials.user)
        return true
    }
}
