import Cryptography

/// The membership lane as a graph: which operation is in whose past, and who was known there.
///
/// Small enough to stay in memory: linear in the bytes of its operations. A ``MembershipPast`` answers what is before
/// what.
public struct MembershipGraph: Sendable {
    /// What one operation adds to what is known of people and devices.
    public struct Introductions: Hashable, Sendable {
        /// A join, and what shows that its author may answer an invite by code.
        public struct Answer: Hashable, Sendable {
            /// The invite that is accepted.
            public let invite: OperationID
            /// The proof; nil where the invite names its author.
            public let proof: InviteProof?

            /// Describes a join.
            public init(invite: OperationID, proof: InviteProof?) {
                self.invite = invite
                self.proof = proof
            }
        }

        /// Devices certified by records that the operation carries.
        public var devices: [DeviceID]
        /// Tombstones that the operation carries.
        public var tombstones: [Tombstone]
        /// People whom the operation names as holder of a grant or as invited.
        public var users: [UserID]
        /// The one-time key whose holder an invite is for.
        public var offeredKey: VerifyingKey?
        /// The invite that a join accepts.
        public var answer: Answer?

        /// Describes an operation's introductions.
        public init(
            devices: [DeviceID] = [], tombstones: [Tombstone] = [], users: [UserID] = [],
            offeredKey: VerifyingKey? = nil, answer: Answer? = nil
        ) {
            self.devices = devices
            self.tombstones = tombstones
            self.users = users
            self.offeredKey = offeredKey
            self.answer = answer
        }
    }

    /// The operations, each after its parents; long bodies are left to the store.
    public private(set) var operations: [Operation] = []
    /// The operations that no other names as a parent, ascending.
    public private(set) var heads: [OperationID] = []

    private var indexByID: [OperationID: Int] = [:]
    private var ancestry = Ancestry()
    private var devices: [DeviceID: [Int]] = [:]
    /// Where each user took devices out.
    private var departures: [UserID: [DeviceID: [Int]]] = [:]
    private var users: [UserID: [Int]] = [:]
    private var offeredKeys: [OperationID: VerifyingKey] = [:]

    /// Holds nothing.
    public init() {}

    /// The operation of a name, if it is here.
    public subscript(id: OperationID) -> Operation? {
        indexByID[id].map { operations[$0] }
    }

    /// Whether the operation is here.
    public func contains(_ id: OperationID) -> Bool { indexByID[id] != nil }

    /// Words that the pasts of all operations take together.
    package var pastWords: Int { ancestry.weight }

    /// Operations that are passed to find the past of one that is here.
    package func walk(toPastOf id: OperationID) -> Int { indexByID[id].map(ancestry.walk) ?? 0 }

    /// Appends an operation whose parents are here.
    ///
    /// - Complexity: O(*w*) for each parent in the words that its past lacks from its first gap on.
    mutating func append(_ operation: Operation, introducing introductions: Introductions) {
        let index = operations.count
        let parents = operation.header.parents
        ancestry.append(
            after: parents.map { parent in
                guard let place = indexByID[parent] else { preconditionFailure("parents are admitted first") }
                return place
            })
        operations.append(operation.withoutLongBody)
        indexByID[operation.id] = index
        // What its past has introduced already says nothing new to whatever comes after it.
        let past = ancestry.past(of: index)
        for device in introductions.devices where !certifies(device, in: past) {
            devices[device, default: []].append(index)
        }
        for tombstone in introductions.tombstones {
            guard !isTakenOut(tombstone.device, of: tombstone.user, in: past) else { continue }
            departures[tombstone.user, default: [:]][tombstone.device, default: []].append(index)
        }
        for user in introductions.users where !welcomes(user, in: past) { users[user, default: []].append(index) }
        offeredKeys[operation.id] = introductions.offeredKey
        for parent in parents { heads.removeSorted(parent) }
        heads.insertSorted(operation.id)
    }

    /// Some operations and everything in their pasts, each after its parents; operations that are not here are passed
    /// over.
    public func operations(through ids: [OperationID]) -> [Operation] {
        var past = MembershipPast()
        extend(&past, through: ids)
        return past.elements(beyond: MembershipPast()).map { operations[$0] }
    }

    /// Everything in the past of any of the operations, themselves included; nil if one is not here.
    ///
    /// - Complexity: as ``extend(_:through:)``.
    public func past(of ids: [OperationID]) -> MembershipPast? {
        guard ids.allSatisfy(contains) else { return nil }
        var past = MembershipPast()
        extend(&past, through: ids)
        return past
    }

    /// Takes some operations and everything before them into a past; operations that are not here are passed over.
    ///
    /// - Complexity: O(*w*) for each operation that the past lacks, in the words of its own past. Where many large
    ///   pasts are so far apart that few of them are kept, O(*n*) in what the past lacks, for all of them together.
    public func extend(_ past: inout MembershipPast, through ids: [OperationID]) {
        for id in ids { if let index = indexByID[id] { ancestry.extend(&past, through: index) } }
    }

    /// Whether a past of this lane holds an operation.
    public func contains(_ id: OperationID, in past: MembershipPast) -> Bool {
        indexByID[id].map(past.contains) ?? false
    }

    /// The same of an operation of which it is known where it should be: that costs no search.
    public func contains(_ id: OperationID, at place: Int, in past: MembershipPast) -> Bool {
        operations.indices.contains(place) && operations[place].id == id
            ? past.contains(place) : contains(id, in: past)
    }

    /// Whether a device's certificate and its user's grant or invite are both in a past.
    func knows(_ device: Device, in past: MembershipPast) -> Bool {
        (devices[device.id] ?? []).contains(where: past.contains)
            && (users[device.user] ?? []).contains(where: past.contains)
    }

    /// Whether a device's certificate is anywhere in the lane.
    public func certifies(_ device: DeviceID) -> Bool { devices[device] != nil }

    /// Whether a device's certificate is in a past.
    func certifies(_ device: DeviceID, in past: MembershipPast) -> Bool {
        (devices[device] ?? []).contains(where: past.contains)
    }

    /// Whether a tombstone of a user's device is in a past.
    func isTakenOut(_ device: DeviceID, of user: UserID, in past: MembershipPast) -> Bool {
        (departures[user]?[device] ?? []).contains(where: past.contains)
    }

    /// The key whose holder an invite of a past is for; nil unless it is such an invite.
    func offeredKey(of invite: OperationID, in past: MembershipPast) -> VerifyingKey? {
        guard let index = indexByID[invite], past.contains(index) else { return nil }
        return offeredKeys[invite]
    }

    /// Whether a grant or invite to a user is in a past.
    func welcomes(_ user: UserID, in past: MembershipPast) -> Bool {
        (users[user] ?? []).contains(where: past.contains)
    }
}
