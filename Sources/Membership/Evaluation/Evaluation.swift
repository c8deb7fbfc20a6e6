/// The verdicts in a causally closed set of operations, found as far as they are asked for.
///
/// An operation counts when its own past holds nothing against it, what it stands on counts, and nothing that threatens it does.
/// All that a verdict rests on ranks strictly higher, so verdicts are found in the order of rank, without recursion, and there is one
/// answer: the perfect model of a stratified program (Apt, Blair and Walker, "Towards a Theory of Declarative Knowledge", 1988).
///
/// What counts in the past of an operation is its author's view; the rules call it State(past).
///
/// The words: an operation acts under its *authority*, a grant; its *warrant* is the grant that must still stand for it to count, which for a
/// join is the inviter's; its *support* is the operation that must count for it to count; its *threats* are those that must not; support
/// and threats are its *grounds*. Its *stratum* is the rank by which it waits its turn.
struct Evaluation<ID: Hashable & Comparable & Sendable, Person: Hashable & Comparable & Sendable>: Sendable {
    var history: History<ID, Person>
    /// The operations judged; with an operation its past.
    private(set) var scope: OperationSet
    /// The verdict on each operation by number; nil where it was not asked for.
    private var verdicts: [Bool?]
    /// Why operations are void.
    private var objections: [Int: Objection<Int>] = [:]
    /// What is left of each grant by number; nil where it was not asked for.
    private var levels: [Level?]
    /// Who acts as admin; nil where it was not asked for.
    var acting: Int??

    init(_ history: History<ID, Person>, within scope: OperationSet) {
        self.history = history
        self.scope = scope
        verdicts = Array(repeating: nil, count: history.records.count)
        levels = Array(repeating: nil, count: history.grants.count)
    }

    func includes(_ operation: Int) -> Bool { scope.contains(operation) }

    /// Whether an operation of the scope counts.
    mutating func isEffective(_ operation: Int) -> Bool {
        if let known = verdicts[operation] { return known }
        settle([operation])
        return verdicts[operation] == true
    }

    /// Why an operation that was judged does not count; nil if it does.
    func knownObjection(to operation: Int) -> Objection<Int>? { objections[operation] }

    /// What is left of a grant; nothing if the operation that made it is void or outside the scope.
    ///
    /// - Complexity: O(*r*) in what was taken away from its holder, once.
    mutating func level(of grant: Int) -> Level {
        if let known = levels[grant] { return known }
        let level = findLevel(of: grant)
        levels[grant] = level
        return level
    }

    /// Judges operations and everything that their verdicts rest on.
    private mutating func settle(_ wanted: [Int]) {
        var open = wanted
        var needed: Set<Int> = []
        while let operation = open.popLast() {
            guard verdicts[operation] == nil, needed.insert(operation).inserted else { continue }
            open += grounds(of: operation)
        }
        for operation in inOrderOfRank(needed) { judge(operation) }
    }

    /// Judges everything of the scope.
    mutating func settleEverything() { settle(scope.elements) }

    /// Judges an operation of which everything that outranks it has been judged.
    ///
    /// - Returns: whether its verdict changed.
    @discardableResult
    mutating func judge(_ operation: Int) -> Bool {
        let objection = findObjection(to: operation)
        objections[operation] = objection
        let verdict = objection == nil
        defer { verdicts[operation] = verdict }
        return verdicts[operation] != verdict
    }

    /// Takes note of a threat whose own verdict has changed.
    ///
    /// Usually the threatened operation need not be judged again: what is void stays void, and only who is to blame may change. So many
    /// threats to many operations cost one step each.
    ///
    /// - Returns: whether the verdict on the threatened operation must be found again.
    mutating func weigh(_ threat: Int, breaking rule: Rule, against operation: Int) -> Bool {
        // What its own past holds against it is blamed for ever.
        guard history.records[operation].objection == nil else { return false }
        guard let objection = objections[operation] else { return counts(threat) }
        guard counts(threat) else { return objection.decidedBy == threat }
        guard let blamed = Self.threats.firstIndex(of: objection.rule), let place = Self.threats.firstIndex(of: rule)
        else { return false }
        if place < blamed
            || place == blamed && objection.decidedBy.map({ history.isEarlier(threat, than: $0) }) ?? false
        {
            objections[operation] = Objection(rule, by: threat)
        }
        return false
    }

    /// The rules by which another operation voids one, in the order in which they are blamed.
    private static var threats: [Rule] { [.revoked, .inviteEnded, .inviteUsed] }

    /// The verdict on something that was judged, because it ranks higher than what is being judged.
    func counts(_ operation: Int) -> Bool {
        guard let verdict = verdicts[operation] else {
            preconditionFailure("a verdict rests on operations of strictly higher rank only")
        }
        return verdict
    }

    /// What its own past decides first, whatever it claims to weigh: who forges a grant names one that outranks his own.
    ///
    /// What somebody does as acting admin and what he does under the grant this makes weigh the same; it came first.
    private func inOrderOfRank(_ operations: Set<Int>) -> [Int] {
        operations.sorted { one, other in
            switch (history.records[one].stratum, history.records[other].stratum) {
            case (let rank?, let otherRank?): rank == otherRank ? one < other : otherRank < rank
            case (nil, _?): true
            case (_, nil): false
            }
        }
    }
}

// MARK: - Growing

extension Evaluation {
    /// Makes room for operations that were put into the history.
    mutating func grow() {
        verdicts += Array(repeating: nil, count: history.records.count - verdicts.count)
        levels += Array(repeating: nil, count: history.grants.count - levels.count)
    }

    /// Takes an operation into the scope, of which its past is part.
    mutating func include(_ operation: Int) { scope.insert(operation) }

    /// Lowers what is left of a grant.
    mutating func lower(_ grant: Int, to level: Level) { levels[grant] = level }

    /// Forgets what is left of a grant, because verdicts it rests on changed.
    mutating func forgetLevel(of grant: Int) { levels[grant] = nil }
}
