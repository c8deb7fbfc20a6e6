import ReplicatedTypes

extension MembershipResolver {
    /// Whether an operation counts, and why not if not; nil if it is not in the graph.
    public func verdict(of id: ID) -> Verdict<ID>? {
        guard unsettled.isEmpty else { return settled.verdict(of: id) }
        guard let number = directory.number(of: id) else { return nil }
        return voidReason(of: number).map { .void($0.map { directory.operations[$0] }) } ?? .effective
    }

    /// Whether an operation is void by its own past: on every replica, and for good. O(1).
    public func isVoidByItsPast(_ id: ID) -> Bool {
        directory.number(of: id).map { current.history.records[$0].voidReason != nil } ?? false
    }

    /// Why an operation is void; nil if it counts.
    ///
    /// If there are several reasons, every replica names the same one: first what the operation's own past says, then
    /// that its device was revoked, then a void operation it depends on, then the earliest operation that voids it.
    private func voidReason(of operation: OperationNumber) -> VoidReason<OperationNumber>? {
        guard !current.counts(operation) else { return nil }
        let history = current.history
        let record = history.records[operation]
        if let voidReason = record.voidReason { return voidReason }
        if let revocation = deviceRevocation(voiding: operation) { return VoidReason(.deviceRevoked, by: revocation) }
        if let support = history.prerequisites(of: operation).first(where: { !current.counts($0) }) {
            return VoidReason(history.ruleOfPrerequisites(of: operation), by: support)
        }
        if let setting = current.objectionOfSetting(to: operation) { return VoidReason(.settingVoid, by: setting) }
        if let threat = threat(to: operation) {
            return VoidReason(record.isJoin ? .inviterRevoked : .revoked, by: threat.operation)
        }
        guard let invite = record.invite else { return nil }
        func earliest(of others: [OperationNumber]?) -> OperationNumber? {
            others?.filter { current.counts($0) && history.mayVoid($0, join: operation) }
                .min { history.isEarlier($0, than: $1) }
        }
        if let ending = earliest(of: history.endings[invite]) { return VoidReason(.inviteEnded, by: ending) }
        return earliest(of: history.codeJoins[invite]).map { VoidReason(.inviteUsed, by: $0) }
    }

    /// The earliest revocation of the device on which an operation was written, if it is void by that.
    private func deviceRevocation(voiding operation: OperationNumber) -> OperationNumber? {
        let history = current.history
        guard let device = history.deviceVoiding(operation) else { return nil }
        var scope = current
        guard scope.isCut(operation), keeper(of: operation) == nil else { return nil }
        return history.devices.revocations[device]?.min { history.isEarlier($0, than: $1) }
    }

    /// The earliest revocation by somebody else that counts and keeps an operation that would fall with its device.
    private func keeper(of operation: OperationNumber) -> OperationNumber? {
        let history = current.history
        return history.revocationsOf[history.records[operation].author]
            .filter { current.counts($0.operation) && history.keeps($0, operation) }.map(\.operation)
            .min { history.isEarlier($0, than: $1) }
    }

    /// The earliest revocation that counts and voids an operation.
    private func threat(to operation: OperationNumber) -> Revocation? {
        let history = current.history
        guard let requiredAuthority = history.records[operation].requiredAuthority else { return nil }
        let holder = history.grants[requiredAuthority.grant].holder
        let revocations = current.findings.knownOpenRevocations(of: holder) ?? history.revocationsOf[holder]
        return revocations.first { current.counts($0.operation) && history.threatens($0, operation) }
    }

    /// The place of an operation in the order in which they came, from 0; nil if it is not in the graph. O(1).
    public func index(of id: ID) -> Int? { directory.number(of: id)?.place }

    /// The operations that do not count, ascending.
    public var void: [ID] {
        let current = settled.current
        return current.history.records.indices.filter { !current.counts($0) }.map { directory.operations[$0] }.sorted()
    }

    /// The operation that gave a register its value; nil for one never written.
    public func writer(of field: String) -> ID? {
        settled.registers[RegisterName(field)]?.value.map { directory.operations[$0] }
    }

    /// The operations that no other one names as parent, ascending: the parents of one written current.
    public var heads: [ID] { current.history.heads.map { directory.operations[$0] }.sorted() }

    /// The operations that took an admin or founder out of office, ascending.
    ///
    /// - Complexity: O(*g* + *r*) in the grants of admins and the revocations of their holders.
    public var officeDepartures: [ID] {
        var current = settled.current
        return current.departures().map { directory.operations[$0] }.sorted()
    }

    /// Whether an operation is in the past of another one. O(1).
    public func isKnown(_ id: ID, to later: ID) -> Bool {
        guard let number = directory.number(of: id), let other = directory.number(of: later) else {
            return false
        }
        return current.history.records[other].past.contains(number)
    }

    /// For each of some operations the first of others that leaves nothing of what it grants to a person, by its place
    /// among them; nil where none does.
    ///
    /// - Parameters:
    ///   - makers: the operations that grant something.
    ///   - person: whose grants they are.
    ///   - exits: operations that count, in the order in which they are asked.
    /// - Complexity: O(*m* + *e*), and for each maker of whose grants nothing is left O(*e*) in the exits up to that
    ///   one.
    public func firstEndings(ofGrantsBy makers: [ID], to person: Person, among exits: [ID]) -> [Int?] {
        let current = settled.current
        let history = current.history
        guard let person = directory.number(ofPerson: person) else { return makers.map { _ in nil } }
        lazy var revocations = exits.map { id in
            directory.number(of: id).flatMap { history.revocations(of: $0).first { $0.target == person } }
        }
        return makers.map { maker in
            guard let maker = directory.number(of: maker) else { return nil }
            let grants = history.records[maker].grants.filter { history.grants[$0].holder == person }
            // Usually the person has some of it: then nothing took all.
            if grants.contains(where: { current.findings.remainingRoles[$0] ?? .gone > .gone }) { return nil }
            return revocations.firstIndex { revocation in
                guard let revocation, revocation.floor == .gone else { return false }
                return grants.allSatisfy { history.reaches(revocation, $0) }
            }
        }
    }

    /// For each of some operations the last of others in its past, by its place among them; nil where none is.
    ///
    /// - Parameters:
    ///   - events: the others, in the order in which they are compared.
    ///   - operations: those in whose pasts they are sought.
    /// - Complexity: O(*n*) in the graph from the first of these on, and in the parents named there.
    public func last(of events: [ID], inPastsOf operations: [ID]) -> [Int?] {
        let (numbers, wanted) = (events.map(directory.number), operations.map(directory.number))
        guard let first = numbers.lazy.compactMap(\.self).min(), let end = wanted.lazy.compactMap(\.self).max() else {
            return operations.map { _ in nil }
        }
        guard first < end else { return operations.map { _ in nil } }
        let records = current.history.records
        // An operation's own place, and the last in its past: -1 for none.
        var own = Array(repeating: -1, count: end.place + 1 - first.place)
        for (place, number) in numbers.enumerated() {
            if let number, number <= end { own[number.place - first.place] = place }
        }
        var last = Array(repeating: -1, count: own.count)
        for offset in last.indices {
            for parent in records[first.advanced(by: offset)].parents where parent >= first {
                let before = parent.place - first.place
                last[offset] = max(last[offset], own[before], last[before])
            }
        }
        return wanted.map { number in
            guard let number, number >= first, last[number.place - first.place] >= 0 else { return nil }
            return last[number.place - first.place]
        }
    }

    /// Whether of two effective writes of one register the first one decides its value. O(1).
    public func outwrites(_ write: ID, _ other: ID) -> Bool {
        guard let write = directory.number(of: write), let other = directory.number(of: other) else { return false }
        return current.history.stamp(of: other) < current.history.stamp(of: write)
    }

    /// What a person could act under now; empty for somebody who has no authority. A plain membership is one while
    /// every member adds.
    ///
    /// First what whoever ranks highest gave, then the weightiest: what is done under a grant falls with whoever gave
    /// it, and a junior could give an older-looking one besides.
    public func authorities(of person: Person) -> [Authority<ID>] {
        guard let person = directory.number(ofPerson: person) else { return [] }
        var current = settled.current
        let least: Role = current.settingThatLetsEveryMemberAdd() == nil ? .moderator : .member
        let grants = current.liveGrants(of: person).filter { current.remainingRole(of: $0).suffices(for: least) }
            .sorted { current.history.isBetterFounded($0, than: $1) }
        let named = grants.map { grant in
            let grant = current.history.grants[grant]
            return Authority.grant(directory.operations[grant.operation], slot: UInt64(grant.slot))
        }
        return current.actingAdmin() == person ? named + [.acting] : named
    }

    /// The operations that make a person a member now, ascending; empty for somebody who is none.
    public func grants(of person: Person) -> [ID] {
        guard let person = directory.number(ofPerson: person) else { return [] }
        var current = settled.current
        let live = current.liveGrants(of: person)
        return live.map { directory.operations[current.history.grants[$0].operation] }.sorted()
    }

    /// The operations that count and ever granted something to a person, in the order in which they came.
    ///
    /// - Complexity: O(*g*) in what they were granted.
    public func makers(ofGrantsTo person: Person) -> [ID] {
        guard let person = directory.number(ofPerson: person) else { return [] }
        let current = settled.current
        return current.history.grantsOf[person].map { current.history.grants[$0].operation }.filter(current.counts)
            .map { directory.operations[$0] }
    }

    /// Why an operation that a person would write now would be void; nil if it would count.
    ///
    /// - Parameters:
    ///   - action: what it would do.
    ///   - person: who would write it.
    ///   - id: a name that no operation has.
    ///   - parents: what it would follow, of what is in the graph; nil for all heads.
    /// - Complexity: O(*n*), for the copy in which it is tried.
    public func voidReason(
        of action: Action<ID, Person, Device>, by person: Person, as id: ID, after parents: [ID]? = nil
    ) -> VoidReason<ID>? {
        var trial = self
        let tried = trial.insert(
            MembershipOperation(id: id, author: person, parents: parents ?? heads, action: action))
        precondition(tried == .inserted, "an operation is tried under a name of its own")
        trial.settle()
        return trial.verdict(of: id)?.voidReason
    }

    /// Everybody whom an operation, effective or not, names as holder of a grant, ascending.
    public var holders: [Person] {
        current.history.people.filter { !current.history.grantsOf[$0].isEmpty }.map {
            directory.people[$0]
        }.sorted()
    }

    /// Everybody whom an invite names, ascending.
    public var invited: [Person] {
        var people: Set<PersonNumber> = []
        for record in current.history.records {
            if case .invite(let person?) = record.action { people.insert(person) }
        }
        return people.map { directory.people[$0] }.sorted()
    }
}

extension MembershipResolver {
    /// The revocations of a device of a person that count, ascending.
    public func revocations(of device: Device, of person: Person) -> [ID] {
        guard let person = directory.number(ofPerson: person), let device = directory.number(of: device, of: person)
        else { return [] }
        return (current.history.devices.revocations[device] ?? []).map { directory.operations[$0] }.sorted()
    }

    /// Whether an operation had seen that a device of a person was revoked, by a revocation that counts.
    ///
    /// - Complexity: O(1).
    public func hasSeen(_ operation: ID, revoked device: Device, of person: Person) -> Bool {
        guard let number = directory.number(of: operation), let person = directory.number(ofPerson: person),
            let device = directory.number(of: device, of: person)
        else { return false }
        return current.history.records[number].revokedDevices.contains(device.place)
    }

    /// For each operation that counts although its device was revoked what keeps it: a revocation of the device that
    /// pins it, else the removal, demotion or ban by somebody else that had seen it.
    ///
    /// A replica that holds a part of the graph needs these to reach the same verdicts.
    ///
    /// - Complexity: O(*w* · *r*) in what was written on devices that were revoked, and in the revocations of each
    ///   author; O(1) if none was.
    public var keepers: [ID: ID] {
        let settled = settled
        let history = settled.current.history
        var keepers: [ID: ID] = [:]
        for (device, revocations) in history.devices.revocations {
            let earliest = revocations.sorted { history.isEarlier($0, than: $1) }
            for written in history.devices.writtenOn[device]
            where history.deviceVoiding(written) != nil && settled.current.counts(written) {
                let pinning = earliest.first { history.devices.pinned[$0]?.contains(written) == true }
                guard let keeper = pinning ?? settled.keeper(of: written) else { continue }
                keepers[directory.operations[written]] = directory.operations[keeper]
            }
        }
        return keepers
    }
}
