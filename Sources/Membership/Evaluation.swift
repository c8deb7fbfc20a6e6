/// The verdicts in a causally closed set of operations, and the state that follows from them.
///
/// Every verdict rests on static facts and on verdicts of strictly higher rank, so the recursion ends with one answer.
final class Evaluation<ID: Hashable & Comparable & Sendable, Person: Hashable & Comparable & Sendable> {
    unowned let history: History<ID, Person>
    let members: OperationSet
    private var verdicts: [Int: Objection<ID>?] = [:]
    private var actingMemo: Person??
    private var lives: [GrantKey: Int] = [:]
    lazy var list: [Int] = members.elements
    lazy var effectiveGrants: [Grant<Person>] = history.grantList.filter {
        members.contains($0.operation) && isEffective($0.operation)
    }

    init(_ history: History<ID, Person>, _ members: OperationSet) {
        self.history = history
        self.members = members
        // In the order of insertion, so that a long history does not become a deep recursion.
        for index in members.elements { _ = objection(index) }
    }

    func isEffective(_ o: Int) -> Bool { objection(o) == nil }

    func objection(_ o: Int) -> Objection<ID>? {
        if let known = verdicts[o] { return known }
        let found = judge(o)
        verdicts[o] = .some(found)
        return found
    }

    private func judge(_ o: Int) -> Objection<ID>? {
        if let reason = history.objection(o) { return reason }
        switch history.operations[o].action {
        case .create, .merge, .device, .decline, .leave, .stepdown: return nil
        case .join:
            guard let invite = history.invite(of: o), let grant = history.under(invite) else {
                return Objection(.inviteUnknown)
            }
            guard isEffective(invite) else { return Objection(.inviteVoid, by: history.operations[invite].id) }
            if let r = clause(o, grant, Tier.moderator.rawValue) { return r }
            for c in list {
                switch history.operations[c].action {
                case .cancel, .decline:
                    if history.invite(of: c) == invite, !history.pasts[c].contains(o), isEffective(c) {
                        return Objection(.inviteEnded, by: history.operations[c].id)
                    }
                default: break
                }
            }
            return nil
        default: break
        }
        guard let g = history.under(o) else { return Objection(.grantUnknown) }
        if g.operation != o, !isEffective(g.operation) {
            return Objection(.grantVoid, by: history.operations[g.operation].id)
        }
        let need: Tier
        switch history.operations[o].action {
        case .remove, .demote, .cancel, .ratify: need = g.tier
        default: need = history.operations[o].action.need
        }
        return clause(o, g, need.rawValue)
    }

    private func clause(_ o: Int, _ g: Grant<Person>, _ need: Int) -> Objection<ID>? {
        for r in history.revocations[g.holder] ?? [] where members.contains(r) {
            guard let floor = history.floor(r, g.holder), floor < need, history.reaches(r, g) else { continue }
            let counts =
                history.operations[r].action.isSelfOperation
                ? history.pasts[o].contains(r) && isEffective(r) : !history.pasts[r].contains(o) && isEffective(r)
            if counts { return Objection(.revoked, by: history.operations[r].id) }
        }
        return nil
    }

    func reaching(_ g: Grant<Person>) -> [Int] {
        (history.revocations[g.holder] ?? []).filter {
            members.contains($0) && history.reaches($0, g) && isEffective($0)
        }
    }

    func live(_ g: Grant<Person>) -> Int {
        let key = GrantKey(operation: g.operation, slot: g.slot)
        if let known = lives[key] { return known }
        let value = reaching(g).reduce(g.tier.rawValue) { min($0, history.floor($1, g.holder) ?? $0) }
        lives[key] = value
        return value
    }

    func liveGrants(_ p: Person) -> [Grant<Person>] {
        (history.grantsOf[p] ?? []).map { history.grantList[$0] }.filter {
            members.contains($0.operation) && isEffective($0.operation) && live($0) >= 0
        }
    }

    func role(_ p: Person) -> Int { liveGrants(p).map(live).max() ?? -1 }

    var people: [Person] { Set(effectiveGrants.filter { live($0) >= 0 }.map(\.holder)).sorted() }

    func seniority(_ p: Person) -> Grant<Person>? {
        let all = liveGrants(p)
        let basic = all.filter { live($0) == 0 || live($0) == 3 }
        return (basic.isEmpty ? all : basic).min { $0.isSenior(to: $1) }
    }

    var acting: Person? {
        if let known = actingMemo { return known }
        let found = findActing()
        actingMemo = .some(found)
        return found
    }

    private func findActing() -> Person? {
        guard !people.contains(where: { role($0) >= Tier.admin.rawValue }) else { return nil }
        var departures: Set<Int> = []
        for g in effectiveGrants where g.tier >= .admin {
            let reaching = reaching(g)
            for r in reaching {
                if history.operations[r].action.isSelfOperation {
                    let before = history.evaluation(history.pasts[r])
                    guard before.members.contains(g.operation), before.isEffective(g.operation),
                        before.live(g) == g.tier.rawValue,
                        !reaching.contains(where: { !history.operations[$0].action.isSelfOperation })
                    else { continue }
                }
                departures.insert(r)
            }
        }
        var candidates: [Person: [Grant<Person>]] = [:]
        for g in effectiveGrants {
            let ok = reaching(g).allSatisfy { r in
                if case .remove = history.operations[r].action, history.under(r)?.tier == .moderator {
                    return departures.allSatisfy { !history.pasts[$0].contains(r) }
                }
                return false
            }
            if ok { candidates[g.holder, default: []].append(g) }
        }
        let stepped = Set(
            departures.filter { if case .stepdown = history.operations[$0].action { true } else { false } }
                .map { history.operations[$0].author })
        func key(_ p: Person) -> (Int, Int, Int, Grant<Person>?) {
            let grants = candidates[p] ?? []
            let before = grants.contains { g in departures.contains { history.pasts[$0].contains(g.operation) } }
            let basic = grants.filter { $0.tier == .member || $0.tier == .founder }
            return (
                stepped.contains(p) ? 1 : 0, before ? 0 : 1, basic.isEmpty ? 1 : 0,
                (basic.isEmpty ? grants : basic).min { $0.isSenior(to: $1) }
            )
        }
        return candidates.keys.sorted().min { a, b in
            let (x, y) = (key(a), key(b))
            if (x.0, x.1, x.2) != (y.0, y.1, y.2) { return (x.0, x.1, x.2) < (y.0, y.1, y.2) }
            guard let g = x.3, let h = y.3 else { return false }
            return g.isSenior(to: h)
        }
    }
}
