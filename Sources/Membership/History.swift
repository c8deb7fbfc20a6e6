/// Everything that was inserted: the static facts of the hash graph, and the static check of every operation.
///
/// Static facts depend on an operation's own past only, so they are computed once and are the same on every replica.
final class History<ID: Hashable & Comparable & Sendable, Person: Hashable & Comparable & Sendable> {
    typealias Operation = MembershipOperation<ID, Person>
    var operations: [Operation] = []
    var index: [ID: Int] = [:]
    var pasts: [OperationSet] = []
    var depths: [Int] = []
    var grants: [GrantKey: Grant<Person>] = [:]
    var grantList: [Grant<Person>] = []
    var grantsOf: [Person: [Int]] = [:]
    var revocations: [Person: [Int]] = [:]
    var statics: [Int: Objection<ID>?] = [:]
    var evaluations: [OperationSet: Evaluation<ID, Person>] = [:]
    let tieKey: (Person) -> [UInt8]

    init(tieKey: @escaping (Person) -> [UInt8]) { self.tieKey = tieKey }

    func insert(_ operation: Operation) {
        guard index[operation.id] == nil else { return }
        let number = operations.count
        var past = OperationSet()
        var depth = 0
        for parent in operation.parents {
            guard let p = index[parent] else { return }
            past.formUnion(pasts[p])
            past.insert(p)
            depth = max(depth, depths[p] + 1)
        }
        operations.append(operation)
        index[operation.id] = number
        pasts.append(past)
        depths.append(depth)
        func make(_ slot: Int, _ holder: Person, _ tier: Tier, _ depth: Int) {
            let grant = Grant(
                operation: number, slot: slot, holder: holder, tier: tier, depth: depth, tieKey: tieKey(holder))
            grants[GrantKey(operation: number, slot: slot)] = grant
            grantsOf[holder, default: []].append(grantList.count)
            grantList.append(grant)
        }
        if case .acting? = operation.action.authority { make(0, operation.author, .admin, depth) }
        switch operation.action {
        case .create:
            make(0, operation.author, .founder, depth)
            make(1, operation.author, .member, depth)
        case .join: make(0, operation.author, .member, invite(of: number).map { depths[$0] } ?? depth)
        case .add(_, let people): for (i, p) in people.enumerated() { make(i + 1, p, .member, depth) }
        case .ratify(_, let keep, let bans):
            for (i, (p, t)) in keep.enumerated() { make(i + 1, p, t, depth) }
            for p in Set(bans) { revocations[p, default: []].append(number) }
        case .promote(_, let p, let t): make(1, p, t, depth)
        case .demote(_, let p, let t):
            make(1, p, t, depth)
            revocations[p, default: []].append(number)
        case .remove(_, let p): revocations[p, default: []].append(number)
        case .leave, .stepdown: revocations[operation.author, default: []].append(number)
        case .invite, .decline, .cancel, .set, .device, .merge: break
        }
    }

    func invite(of o: Int) -> Int? {
        let id: ID
        switch operations[o].action {
        case .join(let i), .decline(let i), .cancel(_, let i): id = i
        default: return nil
        }
        guard let i = index[id], case .invite = operations[i].action else { return nil }
        return i
    }

    func under(_ o: Int) -> Grant<Person>? {
        switch operations[o].action.authority {
        case nil: return nil
        case .acting?: return grants[GrantKey(operation: o, slot: 0)]
        case .grant(let id, let slot)?:
            guard let g = index[id], pasts[o].contains(g), slot <= 1 << 20 else { return nil }
            return grants[GrantKey(operation: g, slot: Int(slot))]
        }
    }

    func everHadGrant(_ person: Person, in past: OperationSet) -> Bool {
        (grantsOf[person] ?? []).contains { past.contains(grantList[$0].operation) }
    }

    /// The highest tier that survives a revocation of a person, as a raw value; -1 when none does, nil when it revokes nothing of his.
    func floor(_ r: Int, _ person: Person) -> Int? {
        switch operations[r].action {
        case .remove(_, let p) where p == person: -1
        case .demote(_, let p, let t) where p == person: t.rawValue
        case .ratify(_, _, let bans) where bans.contains(person): -1
        case .leave where operations[r].author == person: -1
        case .stepdown where operations[r].author == person: Tier.member.rawValue
        default: nil
        }
    }

    func reaches(_ r: Int, _ g: Grant<Person>) -> Bool {
        guard let floor = floor(r, g.holder), r != g.operation else { return false }
        let before = invite(of: g.operation) ?? g.operation
        guard !pasts[before].contains(r), g.tier.rawValue > floor else { return false }
        if operations[r].action.isSelfOperation { return true }
        guard let c = under(r) else { return false }
        return c.dominates(g)
    }

    func evaluation(_ members: OperationSet) -> Evaluation<ID, Person> {
        if let known = evaluations[members] { return known }
        // Verdicts are pure: forgetting them costs time only.
        if evaluations.count > 64 { evaluations = [:] }
        let evaluation = Evaluation(self, members)
        evaluations[members] = evaluation
        return evaluation
    }

    func objection(_ o: Int) -> Objection<ID>? {
        if let known = statics[o] { return known }
        let found = check(o)
        statics[o] = .some(found)
        return found
    }

    private func check(_ o: Int) -> Objection<ID>? {
        let op = operations[o]
        let past = pasts[o]
        switch op.action {
        case .create: return op.parents.isEmpty && o == 0 ? nil : Objection(.notTheRoot)
        case .leave, .stepdown, .device: return everHadGrant(op.author, in: past) ? nil : Objection(.neverAMember)
        case .merge: return nil
        case .join, .decline:
            guard let i = invite(of: o), past.contains(i), case .invite(_, let target) = operations[i].action else {
                return Objection(.inviteUnknown)
            }
            return target == op.author ? nil : Objection(.inviteOfAnother)
        default: break
        }
        guard let g = under(o) else { return Objection(.grantUnknown) }
        if case .acting? = op.action.authority, evaluation(past).acting != op.author {
            return Objection(.notActingAdmin)
        }
        guard g.holder == op.author else { return Objection(.grantOfAnother) }
        guard g.tier >= op.action.need else { return Objection(.tierTooLow) }
        switch op.action {
        case .promote(_, let p, let t):
            guard t <= g.tier, t <= .admin else { return Objection(.grantsTooMuch) }
            return evaluation(past).liveGrants(p).isEmpty ? Objection(.targetNotAMember) : nil
        case .remove(_, let p): return checkTarget(o, g, p, true)
        case .demote(_, let p, let t):
            if let reason = checkTarget(o, g, p, true) { return reason }
            guard t < .admin else { return Objection(.demotesToNothingLess) }
            return t.rawValue < evaluation(past).role(p) ? nil : Objection(.demotesToNothingLess)
        case .ratify(_, let keep, let bans):
            for (p, t) in keep where t >= .admin || !everHadGrant(p, in: past) { return Objection(.keepsAStranger) }
            for p in bans { if let reason = checkTarget(o, g, p, false) { return reason } }
            return nil
        case .cancel:
            guard let i = invite(of: o), past.contains(i) else { return Objection(.inviteUnknown) }
            if operations[i].author == op.author { return nil }
            guard let c = under(i), g.outranks(c) else { return Objection(.outranked) }
            return nil
        default: return nil
        }
    }

    private func checkTarget(_ o: Int, _ g: Grant<Person>, _ p: Person, _ liveRequired: Bool) -> Objection<ID>? {
        guard p != operations[o].author else { return Objection(.targetsHimself) }
        let here = evaluation(pasts[o])
        guard here.acting != p else { return Objection(.targetIsActingAdmin) }
        let live = here.liveGrants(p)
        if liveRequired, live.isEmpty { return Objection(.targetNotAMember) }
        return live.allSatisfy { g.dominates($0) } ? nil : Objection(.outranked)
    }
}
