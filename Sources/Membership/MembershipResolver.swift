import ReplicatedTypes

/// Decides who is in a group from the operations of its membership lane.
///
/// Verdicts and state are a pure function of the set of operations: two resolvers that were given the same operations
/// give the same answers, whatever the order of arrival and whoever lied. No clock, no network, no arrival order is
/// asked.
///
/// Read on, in this order: ``MembershipOperation`` (what is decided about), `Rank` (who may overrule whom), `History`
/// (the hash graph), `Evaluation` (how a verdict is found); then the rules, one a file, from `StaticCheck.swift` (what
/// an operation's own past holds against it), `Effectiveness.swift` (what else its verdict rests on) and `Reach.swift`
/// on; and the state that follows, from `RemainingRole+Finding.swift`.
///
/// A resolver is a value: a copy goes its own way. An operation whose parents are all the heads is looked at in the
/// current state; one on old heads in that of its past. The verdicts that it may change are invalidated. They are
/// evaluated again when somebody asks, or when ``settle()`` is called, so verdicts that many operations flip back and
/// forth are evaluated once. ``init(evaluating:capacity:tieBreaker:)`` is the plain evaluation that this must equal.
public struct MembershipResolver<
    ID: Hashable & Comparable & Sendable, Person: Hashable & Comparable & Sendable, Device: Hashable & Sendable
>: Sendable {
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

    var directory = Directory<ID, Person, Device>()
    /// The evaluation of everything, in which everything is judged but what is unsettled and what that rests on.
    var current = Evaluation(History(), VerdictCache(within: OperationSet()))
    /// What is to be judged: what is new, and that on which something new may change the verdict.
    var unsettled: Set<OperationNumber> = []
    /// How many operations there were when it was last settled.
    var settledCount = 0
    var roster = Roster()
    var writes: [RegisterName: [OperationNumber]] = [:]
    /// The write that gave each register its value.
    var registers: [RegisterName: LastWriterWinsRegister<OperationNumber, RegisterStamp>] = [:]
    private var pasts = RecentPastCache()
    private let tieBreaker: @Sendable (Person) -> TieBreaker
    let capacity: Int

    /// Begins with no operations.
    ///
    /// - Parameters:
    ///   - capacity: how many members a group may have; the rest wait.
    ///   - tieBreaker: orders people of equal seniority; different for different people.
    public init(capacity: Int = 256, tieBreaker: @escaping @Sendable (Person) -> TieBreaker) {
        self.capacity = capacity
        self.tieBreaker = tieBreaker
    }

    /// Takes in an operation.
    ///
    /// - Complexity: on top of all heads O(1) for each person it names, and O(*g*) in what is left to those from whom
    ///   it takes something. For an operation on old heads, also the part of the author's view that its verdict needs
    ///   and that the cache lacks, plus O(1) for each operation whose authority may be revoked by an operation now in
    ///   doubt.
    @discardableResult
    public mutating func insert(_ operation: MembershipOperation<ID, Person, Device>) -> Insertion {
        guard directory.number(of: operation.id) == nil else { return .duplicate }
        let missing = operation.parents.filter { directory.number(of: $0) == nil }
        guard missing.isEmpty else { return .missing(missing) }
        guard !operation.parents.isEmpty || (current.history.records.isEmpty && operation.action == .create) else {
            return .foreign
        }
        let number = append(operation)
        let followsAllHeads = current.history.records[number].past == current.scope
        evaluatePast(of: number, followsAllHeads: followsAllHeads)
        // Of the joins by one code hardly any is in doubt, once it is known that this one counts.
        if current.history.records[number].isJoin { current.evaluateFromCache(number) }
        unsettled.formUnion(current.findings.include(number, in: current.history))
        unsettled.insert(number)
        if followsAllHeads { current.evaluateAfterAllHeads(number) }
        return .inserted
    }

    mutating func append(_ operation: MembershipOperation<ID, Person, Device>) -> OperationNumber {
        let numbered = directory.enter(operation)
        for person in directory.people[current.history.people.upperBound...] {
            current.history.enter(tieBreaker(person))
        }
        let number = current.history.append(numbered, named: Name(operation.id))
        current.grow()
        if case .set(let field, _) = current.history.records[number].action {
            writes[RegisterName(field), default: []].append(number)
        }
        return number
    }

    /// Finds what an operation's own past says of it.
    ///
    /// - Parameter followsAllHeads: whether its author had seen all there is: then what they saw is the state held
    ///   here.
    mutating func evaluatePast(of operation: OperationNumber, followsAllHeads: Bool) {
        if followsAllHeads {
            current.history.record(current.pastVerdict(of: operation), of: operation)
            return
        }
        let heads = current.history.records[operation].parents
        let known = pasts.findings(at: heads, in: current.history)
        let (pastVerdict, findings) = pastVerdict(of: operation, knowing: known)
        pasts.remember(findings, at: heads)
        current.history.record(pastVerdict, of: operation)
    }

    /// In a function of its own: the history must not be held twice when it changes, or all of it would be copied.
    private func pastVerdict(of operation: OperationNumber, knowing findings: VerdictCache) -> (
        PastVerdict, VerdictCache
    ) {
        var before = Evaluation(current.history, findings)
        let pastVerdict = before.pastVerdict(of: operation)
        return (pastVerdict, before.findings)
    }
}
