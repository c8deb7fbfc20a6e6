/// What gives a person a tier: made by an operation at a slot.
struct Grant<Person: Hashable & Comparable & Sendable>: Sendable {
    let operation: Int
    let slot: Int
    let holder: Person
    let tier: Tier
    let depth: Int
    let tieKey: [UInt8]

    /// Seniority: smaller depth, then smaller slot, then smaller tie key.
    func isSenior(to other: Grant) -> Bool {
        if depth != other.depth { return depth < other.depth }
        if slot != other.slot { return slot < other.slot }
        return tieKey.lexicographicallyPrecedes(other.tieKey)
    }

    func outranks(_ other: Grant) -> Bool { tier != other.tier ? tier > other.tier : isSenior(to: other) }

    func dominates(_ other: Grant) -> Bool {
        guard outranks(other), other.tier != .founder else { return false }
        return tier >= .admin || (tier == .moderator && other.tier == .member)
    }
}

struct BitSet: Hashable, Sendable {
    var words: [UInt64] = []
    func contains(_ i: Int) -> Bool { i / 64 < words.count && words[i / 64] & (1 << UInt64(i % 64)) != 0 }
    mutating func insert(_ i: Int) {
        while words.count <= i / 64 { words.append(0) }
        words[i / 64] |= 1 << UInt64(i % 64)
    }
    mutating func formUnion(_ other: BitSet) {
        while words.count < other.words.count { words.append(0) }
        for i in other.words.indices { words[i] |= other.words[i] }
    }
    var elements: [Int] {
        var list: [Int] = []
        for (w, word) in words.enumerated() {
            var rest = word
            while rest != 0 {
                list.append(w * 64 + rest.trailingZeroBitCount)
                rest &= rest - 1
            }
        }
        return list
    }
}

struct Slot: Hashable {
    let operation: Int
    let slot: Int
}

/// All operations known: static facts of the hash graph, and the static check.
final class World<ID: Hashable & Comparable & Sendable, Person: Hashable & Comparable & Sendable> {
    typealias Operation = MembershipOperation<ID, Person>
    var operations: [Operation] = []
    var index: [ID: Int] = [:]
    var pasts: [BitSet] = []
    var depths: [Int] = []
    var grants: [Slot: Grant<Person>] = [:]
    var grantList: [Grant<Person>] = []
    var grantsOf: [Person: [Int]] = [:]
    var revocations: [Person: [Int]] = [:]
    var statics: [Int: String?] = [:]
    var graphs: [BitSet: Graph<ID, Person>] = [:]
    let tieKey: (Person) -> [UInt8]

    init(tieKey: @escaping (Person) -> [UInt8]) { self.tieKey = tieKey }

    func insert(_ operation: Operation) {
        guard index[operation.id] == nil else { return }
        let number = operations.count
        var past = BitSet()
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
            grants[Slot(operation: number, slot: slot)] = grant
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
        case .acting?: return grants[Slot(operation: o, slot: 0)]
        case .grant(let id, let slot)?:
            guard let g = index[id], pasts[o].contains(g), slot <= 1 << 20 else { return nil }
            return grants[Slot(operation: g, slot: Int(slot))]
        }
    }

    func everHadGrant(_ person: Person, in past: BitSet) -> Bool {
        (grantsOf[person] ?? []).contains { past.contains(grantList[$0].operation) }
    }

    /// -1 gone; nil: no revocation of that person
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

    func graph(_ members: BitSet) -> Graph<ID, Person> {
        var key = members
        while key.words.last == 0 { key.words.removeLast() }
        if let g = graphs[key] { return g }
        if graphs.count > 64 { graphs = [:] }
        let g = Graph(self, key)
        graphs[key] = g
        return g
    }

    func objection(_ o: Int) -> String? {
        if let known = statics[o] { return known }
        let found = check(o)
        statics[o] = .some(found)
        return found
    }

    private func check(_ o: Int) -> String? {
        let op = operations[o]
        let past = pasts[o]
        switch op.action {
        case .create: return op.parents.isEmpty && o == 0 ? nil : "not the root"
        case .leave, .stepdown, .device: return everHadGrant(op.author, in: past) ? nil : "author never had a grant"
        case .merge: return nil
        case .join, .decline:
            guard let i = invite(of: o), past.contains(i), case .invite(_, let target) = operations[i].action else {
                return "invite not in the past"
            }
            return target == op.author ? nil : "invite names somebody else"
        default: break
        }
        guard let g = under(o) else { return "acts under no grant of its past" }
        if case .acting? = op.action.authority, graph(past).acting != op.author {
            return "author is not the acting admin"
        }
        guard g.holder == op.author else { return "acts under somebody else's grant" }
        guard g.tier >= op.action.need else { return "tier too low" }
        switch op.action {
        case .promote(_, let p, let t):
            guard t <= g.tier, t <= .admin else { return "grants more than he has" }
            return graph(past).liveGrants(p).isEmpty ? "target has no live grant" : nil
        case .remove(_, let p): return checkTarget(o, g, p, true)
        case .demote(_, let p, let t):
            if let reason = checkTarget(o, g, p, true) { return reason }
            guard t < .admin else { return "demotes to admin or above" }
            return t.rawValue < graph(past).role(p) ? nil : "demotes to no less than the role"
        case .ratify(_, let keep, let bans):
            for (p, t) in keep where t >= .admin || !everHadGrant(p, in: past) { return "keeps nobody who had a grant" }
            for p in bans { if let reason = checkTarget(o, g, p, false) { return reason } }
            return nil
        case .cancel:
            guard let i = invite(of: o), past.contains(i) else { return "invite not in the past" }
            if operations[i].author == op.author { return nil }
            guard let c = under(i), g.outranks(c) else { return "does not outrank the inviter" }
            return nil
        default: return nil
        }
    }

    private func checkTarget(_ o: Int, _ g: Grant<Person>, _ p: Person, _ liveRequired: Bool) -> String? {
        guard p != operations[o].author else { return "targets himself" }
        let here = graph(pasts[o])
        guard here.acting != p else { return "target is the acting admin" }
        let live = here.liveGrants(p)
        if liveRequired, live.isEmpty { return "target has no live grant" }
        return live.allSatisfy { g.dominates($0) } ? nil : "target is outranked by nobody here"
    }
}

/// A causally closed set of operations: the verdicts in it, and its state.
final class Graph<ID: Hashable & Comparable & Sendable, Person: Hashable & Comparable & Sendable> {
    unowned let world: World<ID, Person>
    let members: BitSet
    private var verdicts: [Int: String?] = [:]
    private var actingMemo: Person??
    private var lives: [Slot: Int] = [:]
    lazy var list: [Int] = members.elements
    lazy var effectiveGrants: [Grant<Person>] = world.grantList.filter {
        members.contains($0.operation) && isEffective($0.operation)
    }

    init(_ world: World<ID, Person>, _ members: BitSet) {
        self.world = world
        self.members = members
    }

    func isEffective(_ o: Int) -> Bool { objection(o) == nil }

    func objection(_ o: Int) -> String? {
        if let known = verdicts[o] { return known }
        let found = judge(o)
        verdicts[o] = .some(found)
        return found
    }

    private func judge(_ o: Int) -> String? {
        if let reason = world.objection(o) { return reason }
        switch world.operations[o].action {
        case .create, .merge, .device, .decline, .leave, .stepdown: return nil
        case .join:
            guard let invite = world.invite(of: o), let grant = world.under(invite) else { return "no invite" }
            guard isEffective(invite) else { return "its invite is void" }
            if let r = clause(o, grant, Tier.moderator.rawValue) { return r }
            for c in list {
                switch world.operations[c].action {
                case .cancel, .decline:
                    if world.invite(of: c) == invite, !world.pasts[c].contains(o), isEffective(c) {
                        return "invite ended"
                    }
                default: break
                }
            }
            return nil
        default: break
        }
        guard let g = world.under(o) else { return "acts under no grant" }
        if g.operation != o, !isEffective(g.operation) { return "acts under a void grant" }
        let need: Tier
        switch world.operations[o].action {
        case .remove, .demote, .cancel, .ratify: need = g.tier
        default: need = world.operations[o].action.need
        }
        return clause(o, g, need.rawValue)
    }

    private func clause(_ o: Int, _ g: Grant<Person>, _ need: Int) -> String? {
        for r in world.revocations[g.holder] ?? [] where members.contains(r) {
            guard let floor = world.floor(r, g.holder), floor < need, world.reaches(r, g) else { continue }
            let counts =
                world.operations[r].action.isSelfOperation
                ? world.pasts[o].contains(r) && isEffective(r) : !world.pasts[r].contains(o) && isEffective(r)
            if counts { return "revoked by \(world.operations[r].id)" }
        }
        return nil
    }

    func reaching(_ g: Grant<Person>) -> [Int] {
        (world.revocations[g.holder] ?? []).filter { members.contains($0) && world.reaches($0, g) && isEffective($0) }
    }

    func live(_ g: Grant<Person>) -> Int {
        let key = Slot(operation: g.operation, slot: g.slot)
        if let known = lives[key] { return known }
        let value = reaching(g).reduce(g.tier.rawValue) { min($0, world.floor($1, g.holder) ?? $0) }
        lives[key] = value
        return value
    }

    func liveGrants(_ p: Person) -> [Grant<Person>] {
        (world.grantsOf[p] ?? []).map { world.grantList[$0] }.filter {
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
                if world.operations[r].action.isSelfOperation {
                    let before = world.graph(world.pasts[r])
                    guard before.members.contains(g.operation), before.isEffective(g.operation),
                        before.live(g) == g.tier.rawValue,
                        !reaching.contains(where: { !world.operations[$0].action.isSelfOperation })
                    else { continue }
                }
                departures.insert(r)
            }
        }
        var candidates: [Person: [Grant<Person>]] = [:]
        for g in effectiveGrants {
            let ok = reaching(g).allSatisfy { r in
                if case .remove = world.operations[r].action, world.under(r)?.tier == .moderator {
                    return departures.allSatisfy { !world.pasts[$0].contains(r) }
                }
                return false
            }
            if ok { candidates[g.holder, default: []].append(g) }
        }
        let stepped = Set(
            departures.filter { if case .stepdown = world.operations[$0].action { true } else { false } }
                .map { world.operations[$0].author })
        func key(_ p: Person) -> (Int, Int, Int, Grant<Person>?) {
            let grants = candidates[p] ?? []
            let before = grants.contains { g in departures.contains { world.pasts[$0].contains(g.operation) } }
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
