import ReplicatedTypes

/// Decides who is in a group from the operations of its membership lane.
///
/// Verdicts and state are a pure function of the set of operations: two resolvers that were given the same operations give the same
/// answers, whatever the order of arrival and whoever lied. No clock, no network, no arrival order is asked.
///
/// Read on, in this order: ``MembershipOperation`` (what is decided about), `Rank` (who may overrule whom), `History` (the hash graph),
/// `Evaluation` (how a verdict is found); then the rules, one a file, from `StaticCheck.swift` (what an operation's own past holds against
/// it), `Effectiveness.swift` (what else its verdict rests on) and `Reach.swift` on; and the state that follows, from `LiveLevel.swift`.
///
/// A resolver is a value: a copy goes its own way. It keeps the verdicts on everything it holds. An operation whose parents are all the
/// heads is judged by the current state; a late one has its author's view evaluated first, and then only what it can change is
/// judged again, in the order of rank. ``init(evaluating:capacity:tieKey:)`` is the plain evaluation that this must equal.
public struct MembershipResolver<ID: Hashable & Comparable & Sendable, Person: Hashable & Comparable & Sendable>:
    Sendable
{
    /// What became of an operation handed to the resolver.
    public enum Insertion: Hashable, Sendable {
        /// It is in the graph and has a verdict.
        case inserted
        /// It was in the graph already.
        case duplicate
        /// Some of its parents are not in the graph; nothing was changed.
        case missing([ID])
        /// It has no parents and is not the creation with which this graph began; nothing was changed.
        case foreign
    }

    private(set) var current: Evaluation<ID, Person>
    private var roster = Roster()
    private var writes: [String: [Int]] = [:]
    private var registers: [String: LastWriterWinsRegister<String, RegisterStamp<ID>>] = [:]
    /// Who was acting admin in pasts that were asked about.
    private var actingOf: [OperationSet: Int?] = [:]
    private let capacity: Int

    private static var rememberedPasts: Int { 64 }

    /// Begins with no operations.
    ///
    /// - Parameters:
    ///   - capacity: how many members a group may have; the rest wait.
    ///   - tieKey: orders people of equal seniority; different for different people.
    public init(capacity: Int = 256, tieKey: @escaping @Sendable (Person) -> TieKey) {
        self.capacity = capacity
        current = Evaluation(History(tieKey: tieKey), within: OperationSet())
    }

    /// Takes in an operation.
    ///
    /// - Complexity: on top of all heads O(*g* + *r*) in the grants and revocations of the people it names and of its author. A late one
    ///   costs O(*n*) for an empty view of its author and what has to be judged in it; a late removal O(1) for each act of its target, and
    ///   O(*r* + log *n*) for each whose verdict it changes. Where nobody is admin, who acts is found anew: O(*g* · *d*) in all grants
    ///   and the departures.
    @discardableResult
    public mutating func insert(_ operation: MembershipOperation<ID, Person>) -> Insertion {
        guard current.history.number(of: operation.id) == nil else { return .duplicate }
        let missing = operation.parents.filter { current.history.number(of: $0) == nil }
        guard missing.isEmpty else { return .missing(missing) }
        guard !operation.parents.isEmpty || (current.history.records.isEmpty && operation.action == .create) else {
            return .foreign
        }
        let number = append(operation)
        current.history.record(pastObjection(to: number), against: number)
        current.include(number)
        settle(number)
        return .inserted
    }

    private mutating func append(_ operation: MembershipOperation<ID, Person>) -> Int {
        let number = current.history.append(
            operation, after: operation.parents.compactMap { current.history.number(of: $0) })
        current.grow()
        if case .set(let field, _) = current.history.records[number].deed { writes[field, default: []].append(number) }
        return number
    }

    private mutating func pastObjection(to operation: Int) -> Objection<Int>? {
        let past = current.history.records[operation].past
        // Its author had seen all there is: what he saw is the state held here.
        if past == current.scope { return current.pastObjection(to: operation) }
        var before = Evaluation(current.history, within: past)
        before.acting = actingOf[past]
        defer {
            // Forgers like to name one past again and again; who was acting there never changes.
            if actingOf.count >= Self.rememberedPasts { actingOf = [:] }
            if let found = before.acting { actingOf[past] = found }
        }
        return before.pastObjection(to: operation)
    }
}

// MARK: - Settling what changed

extension MembershipResolver {
    /// Judges a new operation and everything whose verdict it changes.
    private mutating func settle(_ operation: Int) {
        current.judge(operation)
        let changed = current.counts(operation) ? overturned(by: operation) : []
        if changed.isEmpty { applyAlone(operation) } else { apply(changed + [operation]) }
    }

    /// The earlier operations that change their verdict because of a new one that counts.
    ///
    /// In the order of rank: when an operation is judged, the verdicts on all that outranks it are final.
    private mutating func overturned(by operation: Int) -> [Int] {
        var queue = RankQueue()
        var changed: [Int] = []
        enqueueDependents(of: operation, &queue)
        while let next = queue.popHighest() {
            guard current.judge(next) else { continue }
            changed.append(next)
            enqueueDependents(of: next, &queue)
        }
        return changed
    }

    private mutating func enqueueDependents(of operation: Int, _ queue: inout RankQueue) {
        for dependent in current.history.supportedBy[operation] { enqueue(dependent, &queue) }
        for threatened in current.history.operations(threatenedBy: operation)
        where current.weigh(operation, breaking: .revoked, against: threatened) {
            enqueue(threatened, &queue)
        }
        for threatened in current.history.joins(threatenedBy: operation)
        where current.weigh(operation, breaking: .inviteEnded, against: threatened) {
            enqueue(threatened, &queue)
        }
        for threatened in current.history.rivals(threatenedBy: operation)
        where current.weigh(operation, breaking: .inviteUsed, against: threatened) {
            enqueue(threatened, &queue)
        }
    }

    private func enqueue(_ operation: Int, _ queue: inout RankQueue) {
        if let rank = current.history.records[operation].stratum { queue.insert(operation, rank) }
    }

    /// Brings the state up to date with a new operation that changed no other verdict: nothing that was live can rise, so levels are
    /// lowered where they are instead of being found again.
    private mutating func applyAlone(_ operation: Int) {
        let record = current.history.records[operation]
        for grant in record.grants { current.forgetLevel(of: grant) }
        guard current.counts(operation) else { return }
        var touched = Set(record.grants.map { current.history.grants[$0].holder })
        for revocation in record.revocations {
            touched.insert(revocation.target)
            for grant in current.history.grantsOf[revocation.target]
            where current.level(of: grant) > revocation.floor && current.history.reaches(revocation, grant) {
                current.lower(grant, to: revocation.floor)
            }
        }
        place(touched)
        if case .set(let field, let value) = record.deed {
            registers[field, default: LastWriterWinsRegister()].write(value, at: current.history.stamp(of: operation))
        }
    }

    /// Brings the state up to date with operations whose verdicts changed.
    private mutating func apply(_ operations: [Int]) {
        var touched: Set<Int> = []
        var fields: Set<String> = []
        for operation in operations {
            touched.formUnion(current.history.records[operation].grants.map { current.history.grants[$0].holder })
            touched.formUnion(current.history.records[operation].revocations.map(\.target))
            if case .set(let field, _) = current.history.records[operation].deed { fields.insert(field) }
        }
        for person in touched {
            for grant in current.history.grantsOf[person] { current.forgetLevel(of: grant) }
        }
        place(touched)
        for field in fields { rewrite(field) }
    }

    private mutating func place(_ people: Set<Int>) {
        guard !people.isEmpty else { return }
        current.acting = nil
        for person in people {
            let standing = current.standing(of: person)
            roster.place(person, standing, seniority: standing.map { current.seniority(of: $0.grant) })
        }
    }

    private mutating func rewrite(_ field: String) {
        var register = LastWriterWinsRegister<String, RegisterStamp<ID>>()
        for write in writes[field] ?? [] where current.isEffective(write) {
            guard case .set(_, let value) = current.history.records[write].deed else { continue }
            register.write(value, at: current.history.stamp(of: write))
        }
        registers[field] = register
    }
}

// MARK: - Evaluating in full

extension MembershipResolver {
    /// Judges a whole graph at once: each operation by its own past, then all verdicts in the order of rank, then the state.
    ///
    /// - Precondition: the creation comes first, every other operation after its parents, which it has, and none twice.
    /// - Complexity: a view of each author, O(*n*) each at least; then O(*n* · (*r* + log *n*)) in the revocations of each author.
    public init(
        evaluating operations: some Sequence<MembershipOperation<ID, Person>>, capacity: Int = 256,
        tieKey: @escaping @Sendable (Person) -> TieKey
    ) {
        self.init(capacity: capacity, tieKey: tieKey)
        for operation in operations {
            precondition(
                current.history.number(of: operation.id) == nil
                    && operation.parents.allSatisfy { current.history.number(of: $0) != nil }
                    && (!operation.parents.isEmpty || current.history.records.isEmpty && operation.action == .create),
                "operations come once, after their parents, and first the creation")
            let number = append(operation)
            current.history.record(viewOfAuthor(number), against: number)
            current.include(number)
        }
        current.settleEverything()
        place(Set(current.history.people.indices))
        for field in writes.keys { rewrite(field) }
    }

    private func viewOfAuthor(_ operation: Int) -> Objection<Int>? {
        var before = Evaluation(current.history, within: current.history.records[operation].past)
        return before.pastObjection(to: operation)
    }
}

// MARK: - Asking

extension MembershipResolver {
    /// Whether an operation counts, and why not if not; nil if it is not in the graph.
    public func verdict(of id: ID) -> Verdict<ID>? {
        guard let number = current.history.number(of: id) else { return nil }
        if current.counts(number) { return .effective }
        return current.knownObjection(to: number).map { objection in .void(objection.map { current.history.names[$0] })
        }
    }

    /// The operations that do not count, ascending.
    public var void: [ID] {
        current.history.records.indices.filter { !current.counts($0) }.map { current.history.names[$0] }.sorted()
    }

    /// The operation that gave a register its value; nil for one never written.
    public func writer(of field: String) -> ID? { registers[field]?.stamp?.id }

    /// Who is in the group and what it is called. O(*m*) in its members; while nobody is admin also what finding the acting one costs.
    public var state: MembershipState<ID, Person> {
        var current = current
        return current.state(roster, registers: registers.compactMapValues(\.value), capacity: capacity)
    }

    /// The operations that no other one names as parent, ascending: the parents of one written current.
    public var heads: [ID] { current.history.heads.map { current.history.names[$0] }.sorted() }

    /// The operations that took an admin or founder out of office, ascending.
    ///
    /// - Complexity: O(*g* · *r*) in the grants of admins and the revocations of their holders, and a view of O(*n*) for each leave of one.
    public var departures: [ID] {
        var current = current
        return current.departures().map { current.history.names[$0] }.sorted()
    }

    /// Whether an operation is in the past of another one. O(1).
    public func isKnown(_ id: ID, to later: ID) -> Bool {
        guard let number = current.history.number(of: id), let other = current.history.number(of: later) else {
            return false
        }
        return current.history.records[other].past.contains(number)
    }

    /// What a person could act under now, the weightiest first; empty for who has no authority. A plain
    /// membership is one while every member adds.
    public func authorities(of person: Person) -> [Authority<ID>] {
        guard let person = current.history.number(ofPerson: person) else { return [] }
        var current = current
        let least: Tier = current.letsEveryMemberAdd() ? .member : .moderator
        let grants = current.liveGrants(of: person).filter { current.level(of: $0).suffices(for: least) }
            .sorted { current.history.isWeightier($0, than: $1) }
        let named = grants.map { grant in
            let grant = current.history.grants[grant]
            return Authority.grant(current.history.names[grant.operation], slot: UInt64(grant.slot))
        }
        return current.actingAdmin() == person ? named + [.acting] : named
    }

    /// The operations that make a person a member now, ascending; empty for who is none.
    public func grants(of person: Person) -> [ID] {
        guard let person = current.history.number(ofPerson: person) else { return [] }
        var current = current
        let live = current.liveGrants(of: person)
        return live.map { current.history.names[current.history.grants[$0].operation] }.sorted()
    }

    /// Why an operation that a person would write now, on all heads, would be void; nil if it would count.
    ///
    /// - Parameter id: a name that no operation has.
    /// - Complexity: O(*n*), for the copy in which it is tried.
    public func objection(to action: Action<ID, Person>, by person: Person, as id: ID) -> Objection<ID>? {
        var trial = self
        let tried = trial.insert(MembershipOperation(id: id, author: person, parents: heads, action: action))
        precondition(tried == .inserted, "an operation is tried under a name of its own")
        return trial.verdict(of: id)?.objection
    }

    /// Everybody whom an operation, effective or not, names as holder of a grant, ascending.
    public var holders: [Person] {
        current.history.people.indices.filter { !current.history.grantsOf[$0].isEmpty }.map {
            current.history.people[$0]
        }.sorted()
    }

    /// Everybody whom an invite names, ascending.
    public var invited: [Person] {
        var people: Set<Int> = []
        for record in current.history.records {
            if case .invite(let person?) = record.deed { people.insert(person) }
        }
        return people.map { current.history.people[$0] }.sorted()
    }
}
