public struct Verdict<ID: Hashable & Sendable>: Sendable {
    public let isEffective: Bool
    public let rule: String?
    public let decidedBy: ID?
    public let sentence: String
}
public struct MemberState<ID: Hashable & Sendable, Person: Hashable & Sendable>: Sendable {
    public let person: Person
    public let tier: Tier
    public let madeBy: ID?
    public let addedBy: Person?
}
public final class MembershipResolver<ID: Hashable & Comparable & Sendable, Person: Hashable & Comparable & Sendable>:
    @unchecked Sendable
{
    let world: World<ID, Person>
    public let capacity: Int
    public init(capacity: Int = 256, tieKey: @escaping (Person) -> [UInt8]) {
        world = World(tieKey: tieKey)
        self.capacity = capacity
    }
    public func insert(_ o: MembershipOperation<ID, Person>) { world.insert(o) }
    private var all: BitSet {
        var b = BitSet()
        for i in world.operations.indices { b.insert(i) }
        return b
    }
    private var graph: Graph<ID, Person> { world.graph(all) }
    public var acting: Person? { graph.acting }
    public var members: [MemberState<ID, Person>] {
        let g = graph
        let acting = g.acting
        var people = Set(g.people)
        if let acting { people.insert(acting) }
        let ordered = people.sorted { a, b in
            let ra = a == acting ? 2 : g.role(a)
            let rb = b == acting ? 2 : g.role(b)
            if ra != rb { return ra > rb }
            guard let x = g.seniority(a), let y = g.seniority(b) else { return a < b }
            return x.isSenior(to: y)
        }
        return ordered.prefix(capacity).map { p in
            let grant = g.seniority(p)
            let op = grant.map { world.operations[$0.operation] }
            return MemberState(
                person: p, tier: p == acting ? .admin : Tier(rawValue: g.role(p)) ?? .member, madeBy: op?.id,
                addedBy: op.flatMap { $0.author == p ? nil : $0.author })
        }
    }
    public func registers() -> [String: String] {
        let g = graph
        var best: [String: (Int, Grant<Person>, ID, String)] = [:]
        for i in world.operations.indices {
            guard case .set(_, let f, let v) = world.operations[i].action, g.isEffective(i), let grant = world.under(i)
            else { continue }
            let mine = (world.depths[i], grant, world.operations[i].id, v)
            if let o = best[f] {
                if mine.0 < o.0 { continue }
                if mine.0 == o.0 {
                    if o.1.outranks(grant) { continue }
                    if !grant.outranks(o.1), o.2 < mine.2 { continue }
                }
            }
            best[f] = mine
        }
        return best.mapValues { $0.3 }
    }
    public func isEffective(_ id: ID) -> Bool { world.index[id].map { graph.isEffective($0) } ?? false }
    public func objection(_ id: ID) -> String? { world.index[id].flatMap { graph.objection($0) } }
    public func grants(of p: Person) -> [(ID, UInt64, Tier)] {
        graph.liveGrants(p).sorted { $0.outranks($1) }.map {
            (world.operations[$0.operation].id, UInt64($0.slot), $0.tier)
        }
    }
    public var everyone: Set<Person> { Set(world.grantsOf.keys) }
}
