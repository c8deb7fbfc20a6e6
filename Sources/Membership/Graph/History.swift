/// The hash graph of a membership lane: every operation with the facts that its own past fixes.
///
/// Operations, people and grants are numbered in the order in which they came, so the number of an operation is greater
/// than those of everything in its past. Otherwise numbers are private to a replica, and no verdict may depend on which
/// of two is smaller; names decide where nothing else does.
struct History: Sendable {
    /// The operations by number.
    private(set) var records = Table<OperationNumber, IndexedOperation>()
    /// Every grant, effective or not, in the order in which they came.
    private(set) var grants = Table<GrantNumber, Grant>()
    /// The grants that each person was given.
    private(set) var grantsOf = Table<PersonNumber, [GrantNumber]>()
    /// What was taken away from each person by what is not void by its own past, the earliest first.
    private(set) var revocationsOf = Table<PersonNumber, [Revocation]>()
    /// The least that any of that leaves to each person.
    private(set) var lowestFloorOf = Table<PersonNumber, RemainingRole>()
    /// The operations whose requiredAuthority is a grant of the person.
    private(set) var actsOf = Table<PersonNumber, [OperationNumber]>()
    /// For each operation those that depend on it: they act under a grant it made, or accept the invite it is.
    private(set) var dependents = Table<OperationNumber, [OperationNumber]>()
    /// For each invite its joins.
    private(set) var joins: [OperationNumber: [OperationNumber]] = [:]
    /// For each invite by code the joins that are not void by their own past, the weightiest first.
    private(set) var codeJoins: [OperationNumber: [OperationNumber]] = [:]
    /// For each invite what ended it.
    private(set) var endings: [OperationNumber: [OperationNumber]] = [:]
    /// What was written about who may add and is not void by its own past, the last write first; and what people added
    /// who needed that.
    private(set) var addSettings: (writes: [OperationNumber], additions: [OperationNumber]) = ([], [])
    /// The grants of admin or founder.
    private(set) var adminGrants: [GrantNumber] = []
    /// The grants of admin or founder that each person was given.
    private(set) var adminGrantsOf = Table<PersonNumber, [GrantNumber]>()
    /// The weightiest grant that each person was given, effective or not.
    private(set) var weightiestOf = Table<PersonNumber, GrantNumber?>()
    /// What was written on which device, and which devices were revoked.
    private(set) var devices = RevokedDevices()
    /// The operations that no other one names as parent.
    private(set) var heads: Set<OperationNumber> = []

    private var names = Table<OperationNumber, Name>()
    private var tieBreakers = Table<PersonNumber, TieBreaker>()

    /// The people who were given a grant of admin or founder. O(*g*) in such grants.
    var adminGrantees: Set<PersonNumber> { Set(adminGrants.map { grants[$0].holder }) }

    /// Everybody whom an operation names.
    var people: Range<PersonNumber> { tieBreakers.indices }

    /// Some operations and everything in their pasts.
    func past(through heads: [OperationNumber]) -> OperationSet {
        var past = OperationSet()
        for head in heads {
            past.formUnion(records[head].past)
            past.insert(head)
        }
        return past
    }

    /// What members added whom a write of the setting may have let, or kept from it.
    func memberAdditions(after setting: OperationNumber) -> [OperationNumber] {
        guard records[setting].isAddSetting else { return [] }
        return addSettings.additions.filter { records[$0].past.contains(setting) }
    }

    func rank(of grant: GrantNumber) -> Rank { grants[grant].rank }

    /// The weightier of two grants by rank; of equal ones of one person the one made earlier.
    func isWeightier(_ one: GrantNumber, than other: GrantNumber) -> Bool {
        let (rank, otherRank) = (rank(of: one), rank(of: other))
        return rank != otherRank
            ? rank > otherRank : isEarlier(grants[one].operation, than: grants[other].operation)
    }

    /// Whether a grant was given by somebody who ranks higher than who gave another one; of equal ones the weightier.
    func isBetterFounded(_ one: GrantNumber, than other: GrantNumber) -> Bool {
        let (granter, otherGranter) = (granter(of: one), granter(of: other))
        if granter == otherGranter { return isWeightier(one, than: other) }
        // The creation has none above it.
        guard let granter, let otherGranter else { return granter == nil }
        return isWeightier(granter, than: otherGranter)
    }

    /// The grant under which another one was given; of a join the inviter's. Nil for the creation, and for what names
    /// none of its past.
    private func granter(of grant: GrantNumber) -> GrantNumber? {
        let record = records[grants[grant].operation]
        return record.authority ?? record.invite.flatMap { records[$0].authority }
    }

    /// The earlier of two operations by depth, then by name: the same on every replica.
    func isEarlier(_ one: OperationNumber, than other: OperationNumber) -> Bool {
        let (depth, otherDepth) = (records[one].depth, records[other].depth)
        return depth != otherDepth ? depth < otherDepth : names[one] < names[other]
    }

    /// Records what its own past says of an operation.
    mutating func record(_ pastVerdict: PastVerdict, of operation: OperationNumber) {
        records[operation].pastVerdict = pastVerdict
        if pastVerdict.setting != nil { addSettings.additions.append(operation) }
        guard pastVerdict.voidReason == nil else { return }
        for revocation in revocations(of: operation) {
            let place = revocationsOf[revocation.target].partitioningIndex { isEarlier(operation, than: $0.operation) }
            revocationsOf[revocation.target].insert(revocation, at: place)
            lowestFloorOf[revocation.target] = min(lowestFloorOf[revocation.target], revocation.floor)
        }
        if let invite = invite(joinedByCodeIn: operation) {
            let place = index(ofJoin: operation, among: codeJoins[invite] ?? [])
            codeJoins[invite, default: []].insert(operation, at: place)
        }
        guard records[operation].isAddSetting else { return }
        let stamp = stamp(of: operation)
        addSettings.writes.insert(operation, at: addSettings.writes.partitioningIndex { self.stamp(of: $0) < stamp })
    }
}

// MARK: - Growing

extension History {
    /// Makes room for one more person.
    mutating func enter(_ tieBreaker: TieBreaker) {
        tieBreakers.append(tieBreaker)
        grantsOf.append([])
        adminGrantsOf.append([])
        weightiestOf.append(nil)
        revocationsOf.append([])
        lowestFloorOf.append(.founder)
        actsOf.append([])
    }

    /// Puts an operation into the graph, after its parents.
    ///
    /// - Returns: its number, the next one.
    /// - Complexity: O(*p* · *w*), where *p* is the number of parents and *w* the 64-bit words from the first operation
    ///   that their pasts lack. Memory: what `OperationSet` says, and a few words for each person it names.
    mutating func append(
        _ operation: MembershipOperation<OperationNumber, PersonNumber, DeviceNumber>, named name: Name
    ) -> OperationNumber {
        let number = records.endIndex
        var past = OperationSet()
        var revokedDevices = PlaceSet()
        var depth = 0
        for parent in operation.parents {
            past.formUnion(records[parent].past)
            past.insert(parent)
            revokedDevices.formUnion(records[parent].revokedDevices)
            if let device = deviceRevoked(by: parent) { revokedDevices.insert(device.place) }
            depth = max(depth, records[parent].depth + 1)
        }
        names.append(name)
        dependents.append([])
        heads.subtract(operation.parents)
        heads.insert(number)

        let author = operation.author
        let action = IndexedAction(operation.action)
        let invite = invite(operation.action, in: past)
        let firstGrant = grants.endIndex
        let isActing = operation.action.authority == .acting
        let origin = action == .join ? invite ?? number : number
        let grantDepth = origin == number ? depth : records[origin].depth
        make(action, by: author, isActing: isActing, at: number, origin: origin, depth: grantDepth)
        let authority = isActing ? firstGrant : self.authority(operation.action.authority, in: past)
        let requiredAuthority = requiredAuthority(for: action, authority: authority, invite: invite)
        records.append(
            IndexedOperation(
                author: author, device: operation.device, action: action, isJoin: action == .join,
                parents: Set(operation.parents).sorted(),
                past: past, revokedDevices: revokedDevices, depth: depth, isActing: isActing, authority: authority,
                invite: invite,
                grants: firstGrant..<grants.endIndex,
                requiredAuthority: requiredAuthority))
        index(number)
        index(operation.action, at: number)
        return number
    }

    private func invite(_ action: Action<OperationNumber, PersonNumber, DeviceNumber>, in past: OperationSet)
        -> OperationNumber?
    {
        switch action {
        case .join(let invite), .decline(let invite), .cancel(_, let invite):
            guard past.contains(invite), case .invite = records[invite].action else { return nil }
            return invite
        case .create, .add, .invite, .remove, .promote, .demote, .set, .ratify, .device, .revoke, .merge, .leave,
            .stepdown:
            return nil
        }
    }

    private func authority(_ authority: Authority<OperationNumber>?, in past: OperationSet) -> GrantNumber? {
        guard case .grant(let maker, let slot)? = authority, past.contains(maker) else { return nil }
        let made = records[maker].grants
        // The slots of an operation follow one another from 0 or from 1.
        guard let first = made.first, let slot = Int(exactly: slot) else { return nil }
        let offset = slot - grants[first].slot
        return offset >= 0 && offset < made.count ? first.advanced(by: offset) : nil
    }

    /// Makes the grants of an operation, by slot.
    ///
    /// - Parameters:
    ///   - origin: the operation with which they began.
    ///   - depth: the depth of that one.
    private mutating func make(
        _ action: IndexedAction, by author: PersonNumber, isActing: Bool, at number: OperationNumber,
        origin: OperationNumber, depth: Int
    ) {
        func grant(_ role: Role, to holder: PersonNumber, slot: Int) {
            let made = grants.endIndex
            grantsOf[holder].append(made)
            if role >= .admin {
                adminGrants.append(made)
                adminGrantsOf[holder].append(made)
            }
            let seniority = Seniority(depth: depth, slot: slot, tieBreaker: tieBreakers[holder])
            let rank = Rank(role: role, seniority: seniority)
            if weightiestOf[holder].map({ self.rank(of: $0) < rank }) ?? true { weightiestOf[holder] = made }
            grants.append(Grant(operation: number, origin: origin, holder: holder, rank: rank))
        }
        if isActing { grant(.admin, to: author, slot: 0) }
        switch action {
        case .create:
            grant(.founder, to: author, slot: 0)
            grant(.member, to: author, slot: 1)
        case .join: grant(.member, to: author, slot: 0)
        case .add(let people):
            for (index, person) in people.enumerated() { grant(.member, to: person, slot: index + 1) }
        case .ratify(let keep, _):
            for (index, kept) in keep.enumerated() { grant(kept.role, to: kept.person, slot: index + 1) }
        case .promote(let person, let role), .demote(let person, let role):
            grant(role, to: person, slot: 1)
        case .invite, .decline, .cancel, .remove, .set, .device, .revoke, .merge, .leave, .stepdown: break
        }
    }

    private func requiredAuthority(
        for action: IndexedAction, authority: GrantNumber?, invite: OperationNumber?
    ) -> RequiredAuthority? {
        if action == .join {
            return invite.flatMap { records[$0].authority }.map { RequiredAuthority(grant: $0, need: .moderator) }
        }
        guard let authority, let need = action.need(under: grants[authority].role) else { return nil }
        return RequiredAuthority(grant: authority, need: need)
    }

    private mutating func index(_ number: OperationNumber) {
        let record = records[number]
        if let requiredAuthority = record.requiredAuthority {
            actsOf[grants[requiredAuthority.grant].holder].append(number)
            let maker = grants[requiredAuthority.grant].operation
            if !record.isJoin, maker != number { dependents[maker].append(number) }
        }
        if let invite = record.invite {
            if record.action.rules.endsInvite {
                endings[invite, default: []].append(number)
            } else {
                joins[invite, default: []].append(number)
                dependents[invite].append(number)
            }
        }
    }

    /// Notes on which device an operation was written and, if it revokes one, what it pins.
    private mutating func index(
        _ action: Action<OperationNumber, PersonNumber, DeviceNumber>, at number: OperationNumber
    ) {
        if let device = records[number].device { devices.note(number, writtenOn: device) }
        guard case .revoke(let person, let device, let pins) = action, pins.allSatisfy(records[number].past.contains)
        else { return }
        devices.note(number, of: device, of: person, pinning: past(through: pins))
    }

    /// What orders writes to one register.
    func stamp(of write: OperationNumber) -> RegisterStamp {
        guard let requiredAuthority = records[write].requiredAuthority else {
            preconditionFailure("a write that counts acts under a grant")
        }
        return RegisterStamp(depth: records[write].depth, rank: rank(of: requiredAuthority.grant), name: names[write])
    }

    /// What an operation takes away, if it counts.
    func revocations(of operation: OperationNumber) -> [Revocation] {
        let (author, action) = (records[operation].author, records[operation].action)
        func revocation(_ target: PersonNumber, _ floor: RemainingRole) -> Revocation {
            Revocation(operation: operation, target: target, floor: floor, isOwn: action.rules.isSelfOperation)
        }
        return switch action {
        case .remove(let person): [revocation(person, .gone)]
        case .demote(let person, let role): [revocation(person, RemainingRole(role))]
        case .ratify(_, let bans): Set(bans).map { revocation($0, .gone) }
        case .leave: [revocation(author, .gone)]
        case .stepdown: [revocation(author, .member)]
        case .create, .add, .invite, .join, .decline, .cancel, .promote, .set, .device, .revoke, .merge: []
        }
    }
}
