/// The records that count among all that were seen: the same whatever the order in which they came.
public struct KnownCredentials: Sendable {
    private var identities: [UserID: IdentityRecord] = [:]
    private var wraps: [DeviceID: WrapRecord] = [:]

    /// Knows nobody.
    public init() {}

    /// Takes in credentials; true if anything in them counts now and did not before.
    @discardableResult
    public mutating func learn(_ credentials: Credentials) -> Bool {
        var isNews = learn(credentials.identity)
        for record in credentials.wraps where wraps[record.device].map({ record.supersedes($0) }) ?? true {
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

    /// Forgets a person.
    public mutating func forget(_ user: UserID) {
        forgetKeys(of: identities.removeValue(forKey: user)?.devices.map(\.device.id) ?? [])
    }

    /// Forgets the keys of devices.
    public mutating func forgetKeys(of devices: some Sequence<DeviceID>) {
        for device in devices { wraps[device] = nil }
    }

    /// Whether the list of devices that counts for a device's user names the device.
    public func certifies(_ device: Device) -> Bool {
        identities[device.user]?.devices.contains { $0.device == device } ?? false
    }

    /// Whether a device of a person has published a key to which messages can be sealed.
    public func hasKey(_ user: UserID) -> Bool {
        // By its place: a copy of the whole record would cost more than the question.
        guard let place = identities.index(forKey: user) else { return false }
        return identities.values[place].devices.contains { wraps.index(forKey: $0.device.id) != nil }
    }

    /// What counts for a person; nil if none of their records was seen.
    public subscript(user: UserID) -> Credentials? {
        identities[user].map { identity in
            Credentials(identity: identity, wraps: identity.devices.compactMap { wraps[$0.device.id] })
        }
    }
}
