/// The records that count among all that were seen: the same whatever the order in which they came.
///
/// A user's devices are those that the counting identity record certifies, less those with a tombstone: every answer
/// about devices here leaves these out.
public struct KnownCredentials: Sendable {
    private var identities: [UserID: IdentityRecord] = [:]
    private var wraps: [DeviceID: WrapRecord] = [:]
    private var tombstones: [UserID: Tombstones] = [:]

    /// Knows nobody.
    public init() {}

    /// Takes in credentials; true if anything in them counts now and did not before.
    @discardableResult
    public mutating func learn(_ credentials: Credentials) -> Bool {
        var isNews = learn(credentials.identity)
        for record in credentials.wraps where wraps[record.device].map({ record.supersedes($0) }) ?? true {
            // Also of a device that was taken out: of too many tombstones its own may give way.
            wraps[record.device] = record
            isNews = true
        }
        return isNews
    }

    /// Takes in a list of devices; true if it counts now and did not before.
    @discardableResult
    public mutating func learn(_ identity: IdentityRecord) -> Bool {
        guard identities[identity.user].map({ identity.supersedes($0) }) ?? true else { return false }
        identities[identity.user] = identity
        return true
    }

    /// Takes a device out; true if that was not known.
    @discardableResult
    public mutating func learn(_ tombstone: Tombstone) -> Bool {
        // The key of the device stays where it is: nothing proves here that the device was this user's.
        tombstones[tombstone.user, default: Tombstones()].insert(tombstone)
    }

    /// Forgets a person.
    public mutating func forget(_ user: UserID) {
        forgetKeys(of: identities.removeValue(forKey: user)?.devices.map(\.device.id) ?? [])
        tombstones[user] = nil
    }

    /// Forgets the keys of devices.
    public mutating func forgetKeys(of devices: some Sequence<DeviceID>) {
        for device in devices { wraps[device] = nil }
    }

    /// The devices of a person that were taken out.
    public func tombstones(of user: UserID) -> Tombstones { tombstones[user] ?? Tombstones() }

    /// The people of whom some device was taken out.
    public var usersWithTombstones: Dictionary<UserID, Tombstones>.Keys { tombstones.keys }

    /// Whether a device of a user was taken out.
    public func isTakenOut(_ device: DeviceID, of user: UserID) -> Bool { tombstones[user]?[device] != nil }

    /// The devices of a person, ascending; none if no list of theirs was seen.
    public func devices(of user: UserID) -> [IdentityRecord.Entry] {
        guard let identity = identities[user] else { return [] }
        guard let gone = tombstones[user] else { return identity.devices }
        return identity.devices.filter { gone[$0.device.id] == nil }
    }

    /// Whether a device is one of its user's.
    public func certifies(_ device: Device) -> Bool {
        guard !isTakenOut(device.id, of: device.user) else { return false }
        return identities[device.user]?.devices.contains { $0.device == device } ?? false
    }

    /// Whether a device of a person has published a key to which messages can be sealed.
    public func hasKey(_ user: UserID) -> Bool {
        // By its place: a copy of the whole record would cost more than the question.
        guard let place = identities.index(forKey: user) else { return false }
        return identities.values[place].devices.contains {
            wraps.index(forKey: $0.device.id) != nil && !isTakenOut($0.device.id, of: user)
        }
    }

    /// What counts for a person: the record as it was signed, and the keys of the devices that were not taken out; nil
    /// if none of their records was seen.
    public subscript(user: UserID) -> Credentials? {
        identities[user].map { identity in
            Credentials(identity: identity, wraps: devices(of: user).compactMap { wraps[$0.device.id] })
        }
    }
}
