import ReplicatedTypes

/// Decides who is in a group from the operations of its membership lane.
///
/// Verdicts and state are a pure function of the set of operations: two resolvers that were given the same operations give the same
/// answers, whatever the order of arrival and whoever lied. No clock, no network, no arrival order is asked.
///
/// Read on, in this order: ``MembershipOperation`` (what is decided about), `Rank` (who may overrule whom), `History` (the hash graph),
/// `Evaluation` (how a verdict is found), the rules, one a file, and the state that follows.
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
    }

    private var now: Evaluation<ID, Person>
    private var roster = Roster()
    private var writes: [String: [Int]] = [:]
    private var registers: [String: LastWriterWinsRegister<String, RegisterStamp<ID>>] = [:]
    private let capacity: Int

    /// Begins with no operations.
    ///
    /// - Parameters:
    ///   - capacity: how many members a group may have; the rest wait.
    ///   - tieKey: orders people of equal seniority; different for different people.
    public init(capacity: Int = 256, tieKey: @escaping @Sendable (Person) -> TieKey) {
        self.capacity = capacity
        now = Evaluation(History(tieKey: tieKey), within: OperationSet())
    }

    /// Takes in an operation.
    ///
    /// - Complexity: on top of all heads O(*g* + *r*) in the grants and revocations of the people it names. Otherwise as much again for the
    ///   view of its author, and for a removal O(log *n*) for each operation whose verdict it may change.
    @discardableResult
    public mutating func insert(_ operation: MembershipOperation<ID, Person>) -> Insertion {
        guard now.history.number(of: operation.id) == nil else { return .duplicate }
        let missing = operation.parents.filter { now.history.number(of: $0) == nil }
        guard missing.isEmpty else { return .missing(missing) }
        let number = append(operation)
        now.history.record(pastObjection(to: number), against: number)
        now.include(number)
        settle(number)
        return .inserted
    }

    private mutating func append(_ operation: MembershipOperation<ID, Person>) -> Int {
        let number = now.history.append(operation, after: operation.parents.compactMap { now.history.number(of: $0) })
        now.grow()
        if case .set(let field, _) = now.history.records[number].deed { writes[field, default: []].append(number) }
        return number
    }

    private mutating func pastObjection(to operation: Int) -> Objection<Int>? {
        let past = now.history.records[operation].past
        // Its author had seen all there is: what he saw is the state held here.
        if past == now.scope { return now.pastObjection(to: operation) }
        var before = Evaluation(now.history, within: past)
        return before.pastObjection(to: operation)
    }
}

// MARK: - Settling what changed

extension MembershipResolver {
    /// Judges a new operation and everything whose verdict it changes.
    private mutating func settle(_ operation: Int) {
        now.judge(operation)
        let changed = now.settled(operation) ? overturned(by: operation) : []
        if changed.isEmpty { apply(operation) } else { apply(changed + [operation]) }
    }

    /// The earlier operations that change their verdict because of a new one that counts.
    ///
    /// In the order of rank: when an operation is judged, the verdicts on all that outranks it are final.
    private mutating func overturned(by operation: Int) -> [Int] {
        var queue = RankQueue()
        var changed: [Int] = []
        enqueueDependents(of: operation, &queue)
        while let next = queue.popHighest() {
            guard now.judge(next) else { continue }
            changed.append(next)
            enqueueDependents(of: next, &queue)
        }
        return changed
    }

    private func enqueueDependents(of operation: Int, _ queue: inout RankQueue) {
        let history = now.history
        let dependents =
            history.supportedBy[operation] + history.operations(threatenedBy: operation)
            + history.joins(threatenedBy: operation)
        for dependent in dependents {
            if let rank = history.records[dependent].stratum { queue.insert(dependent, rank) }
        }
    }

    /// Brings the state up to date with a new operation that changed no other verdict.
    private mutating func apply(_ operation: Int) {
        let record = now.history.records[operation]
        for grant in record.grants { now.forgetLevel(of: grant) }
        guard now.settled(operation) else { return }
        var touched = Set(record.grants.map { now.history.grants[$0].holder })
        for person in now.history.targets(of: operation) {
            touched.insert(person)
            guard let revocation = now.history.revocationsOf[person].last(where: { $0.operation == operation }) else {
                continue
            }
            for grant in now.history.grantsOf[person]
            where now.level(of: grant) > revocation.floor && now.history.reaches(revocation, grant) {
                now.lower(grant, to: revocation.floor)
            }
        }
        place(touched)
        if case .set(let field, let value) = record.deed {
            registers[field, default: LastWriterWinsRegister()].write(value, at: stamp(of: operation))
        }
    }

    /// Brings the state up to date with operations whose verdicts changed.
    private mutating func apply(_ operations: [Int]) {
        var touched: Set<Int> = []
        var fields: Set<String> = []
        for operation in operations {
            touched.formUnion(now.history.records[operation].grants.map { now.history.grants[$0].holder })
            touched.formUnion(now.history.targets(of: operation))
            if case .set(let field, _) = now.history.records[operation].deed { fields.insert(field) }
        }
        for person in touched {
            for grant in now.history.grantsOf[person] { now.forgetLevel(of: grant) }
        }
        place(touched)
        for field in fields { rewrite(field) }
    }

    private mutating func place(_ people: Set<Int>) {
        guard !people.isEmpty else { return }
        now.acting = nil
        for person in people {
            let standing = now.standing(of: person)
            roster.place(person, standing, seniority: standing.map { now.seniority(of: $0.grant) })
        }
    }

    private mutating func rewrite(_ field: String) {
        var register = LastWriterWinsRegister<String, RegisterStamp<ID>>()
        for write in writes[field] ?? [] where now.isEffective(write) {
            guard case .set(_, let value) = now.history.records[write].deed else { continue }
            register.write(value, at: stamp(of: write))
        }
        registers[field] = register
    }

    private func stamp(of write: Int) -> RegisterStamp<ID> {
        guard let rank = now.history.records[write].rank else {
            preconditionFailure("a write that counts acts under a grant")
        }
        return RegisterStamp(depth: now.history.records[write].depth, rank: rank, id: now.history.names[write])
    }
}

// MARK: - Evaluating in full

extension MembershipResolver {
    /// Judges a whole graph at once: each operation by its own past, then all verdicts in the order of rank, then the state.
    ///
    /// - Precondition: every operation comes after its parents, and none comes twice.
    /// - Complexity: O(*n* log *n*) for verdicts and O(*n*) views of authors.
    public init(
        evaluating operations: some Sequence<MembershipOperation<ID, Person>>, capacity: Int = 256,
        tieKey: @escaping @Sendable (Person) -> TieKey
    ) {
        self.init(capacity: capacity, tieKey: tieKey)
        for operation in operations {
            precondition(
                now.history.number(of: operation.id) == nil
                    && operation.parents.allSatisfy { now.history.number(of: $0) != nil },
                "operations come once, after their parents")
            let number = append(operation)
            now.history.record(viewOfAuthor(number), against: number)
            now.include(number)
        }
        now.settleEverything()
        place(Set(now.history.people.indices))
        for field in writes.keys { rewrite(field) }
    }

    private func viewOfAuthor(_ operation: Int) -> Objection<Int>? {
        var before = Evaluation(now.history, within: now.history.records[operation].past)
        return before.pastObjection(to: operation)
    }
}

// MARK: - Asking

extension MembershipResolver {
    /// Whether an operation counts, and why not if not; nil if it is not in the graph.
    public func verdict(of id: ID) -> Verdict<ID>? {
        guard let number = now.history.number(of: id) else { return nil }
        if now.settled(number) { return .effective }
        return now.knownObjection(to: number).map { objection in .void(objection.map { now.history.names[$0] }) }
    }

    /// The operations that do not count, ascending.
    public var void: [ID] {
        now.history.records.indices.filter { !now.settled($0) }.map { now.history.names[$0] }.sorted()
    }

    /// Who is in the group and what it is called. O(*m*) in its members, and O(*n*) while nobody is admin.
    public var state: MembershipState<ID, Person> {
        var now = now
        return now.state(roster, registers: registers.compactMapValues(\.value), capacity: capacity)
    }

    /// The operations that no other one names as parent, ascending: the parents of one written now.
    public var heads: [ID] { now.history.heads.map { now.history.names[$0] }.sorted() }

    /// The operations that took an admin or founder out of office, ascending. O(*n*).
    public var departures: [ID] {
        var now = now
        return now.departures().map { now.history.names[$0] }.sorted()
    }

    /// Whether an operation is in the past of another one. O(1).
    public func isKnown(_ id: ID, to later: ID) -> Bool {
        guard let number = now.history.number(of: id), let other = now.history.number(of: later) else { return false }
        return now.history.records[other].past.contains(number)
    }

    /// What a person could act under now, the weightiest first; empty for who has no authority.
    public func authorities(of person: Person) -> [Authority<ID>] {
        guard let person = now.history.place(of: person) else { return [] }
        var now = now
        let grants = now.liveGrants(of: person).filter { now.level(of: $0).suffices(for: .moderator) }
            .sorted { now.history.isWeightier($0, than: $1) }
        let named = grants.map { grant in
            let grant = now.history.grants[grant]
            return Authority.grant(now.history.names[grant.operation], slot: UInt64(grant.slot))
        }
        return now.actingAdmin() == person ? named + [.acting] : named
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
        now.history.people.indices.filter { !now.history.grantsOf[$0].isEmpty }.map { now.history.people[$0] }.sorted()
    }

    /// Everybody whom an invite names, ascending.
    public var invited: [Person] {
        var people: Set<Int> = []
        for record in now.history.records {
            if case .invite(let person) = record.deed { people.insert(person) }
        }
        return people.map { now.history.people[$0] }.sorted()
    }
}
