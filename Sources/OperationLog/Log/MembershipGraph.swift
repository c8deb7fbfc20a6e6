import Cryptography

/// The membership lane as a graph: which operation is in whose past, and who was known there.
///
/// Small enough to stay in memory. Ancestor sets are bit sets over the order of arrival, which extends the causal order, so an
/// ancestor test is one bit and "is this past contained in that" a few words.
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
        /// People whom the operation names as holder of a grant or as invited.
        public var users: [UserID]
        /// The one-time key whose holder an invite is for.
        public var offeredKey: VerifyingKey?
        /// The invite that a join accepts.
        public var answer: Answer?

        /// Describes an operation's introductions.
        public init(
            devices: [DeviceID] = [], users: [UserID] = [], offeredKey: VerifyingKey? = nil, answer: Answer? = nil
        ) {
            self.devices = devices
            self.users = users
            self.offeredKey = offeredKey
            self.answer = answer
        }
    }

    /// The operations, each after its parents.
    public private(set) var operations: [Operation] = []
    /// The operations that no other names as a parent, ascending.
    public private(set) var heads: [OperationID] = []

    private var indexByID: [OperationID: Int] = [:]
    private var ancestors: [AncestorSet] = []
    private var devices: [DeviceID: [Int]] = [:]
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

    /// Appends an operation whose parents are here.
    ///
    /// - Complexity: O(*n*/64) in the size of the lane per parent.
    mutating func append(_ operation: Operation, introducing introductions: Introductions) {
        let index = operations.count
        var past = AncestorSet()
        for parent in operation.header.parents {
            guard let parentIndex = indexByID[parent] else { preconditionFailure("parents are admitted first") }
            past.formUnion(ancestors[parentIndex])
            past.insert(parentIndex)
        }
        operations.append(operation)
        ancestors.append(past)
        indexByID[operation.id] = index
        for device in introductions.devices { devices[device, default: []].append(index) }
        for user in introductions.users { users[user, default: []].append(index) }
        offeredKeys[operation.id] = introductions.offeredKey
        let parents = operation.header.parents
        heads.removeAll { parents.contains($0) }
        heads.append(operation.id)
        heads.sort()
    }

    /// Some operations and everything in their pasts, each after its parents; operations that are not here are passed over.
    public func operations(through ids: [OperationID]) -> [Operation] {
        guard let past = past(of: ids.filter(contains)) else { return [] }
        return operations.indices.filter(past.contains).map { operations[$0] }
    }

    /// Everything in the past of any of the operations, themselves included; nil if one is not here.
    func past(of ids: [OperationID]) -> AncestorSet? {
        var past = AncestorSet()
        for id in ids {
            guard let index = indexByID[id] else { return nil }
            past.formUnion(ancestors[index])
            past.insert(index)
        }
        return past
    }

    /// Whether a device's certificate and its user's grant or invite both stand in a past.
    func knows(_ device: Device, in past: AncestorSet) -> Bool {
        (devices[device.id] ?? []).contains(where: past.contains)
            && (users[device.user] ?? []).contains(where: past.contains)
    }

    /// Whether a device's certificate stands in a past.
    func certifies(_ device: DeviceID, in past: AncestorSet) -> Bool {
        (devices[device] ?? []).contains(where: past.contains)
    }

    /// The key whose holder an invite of a past is for; nil unless it is such an invite.
    func offeredKey(of invite: OperationID, in past: AncestorSet) -> VerifyingKey? {
        guard let index = indexByID[invite], past.contains(index) else { return nil }
        return offeredKeys[invite]
    }

    /// Whether a grant or invite to a user stands in a past.
    func welcomes(_ user: UserID, in past: AncestorSet) -> Bool {
        (users[user] ?? []).contains(where: past.contains)
    }
}

/// A set of places in the membership lane.
struct AncestorSet: Hashable, Sendable {
    private var words: [UInt64] = []

    func contains(_ index: Int) -> Bool {
        let word = index / 64
        return word < words.count && words[word] & (1 << UInt64(index % 64)) != 0
    }

    mutating func insert(_ index: Int) {
        let word = index / 64
        if word >= words.count { words.append(contentsOf: repeatElement(0, count: word + 1 - words.count)) }
        words[word] |= 1 << UInt64(index % 64)
    }

    mutating func formUnion(_ other: AncestorSet) {
        if words.count < other.words.count {
            words.append(contentsOf: repeatElement(0, count: other.words.count - words.count))
        }
        for index in other.words.indices { words[index] |= other.words[index] }
    }

    func isSuperset(of other: AncestorSet) -> Bool {
        for (index, word) in other.words.enumerated() {
            let ours = index < words.count ? words[index] : 0
            guard word & ~ours == 0 else { return false }
        }
        return true
    }
}
