/// A causally closed part of the graph of a ``MembershipResolver``, and what was found so far about who is a member
/// there.
///
/// It holds no operations, only verdicts: a byte or two for each operation of the graph.
public struct PartialMembership: Sendable {
    fileprivate var findings = VerdictCache(within: OperationSet())
    fileprivate var unsettled: Set<OperationNumber> = []
    fileprivate var roster = Roster()
    /// The places in the roster, and before them the acting admin, of those who are admitted where some wait; nil where
    /// they were not asked for.
    fileprivate var admitted: [RosterMember]?

    /// Holds nothing.
    public init() {}
}

extension MembershipResolver {
    /// Evaluates in a part of the graph what it has not found yet, and keeps it there.
    private func evaluate<Result>(
        _ part: inout PartialMembership, _ body: (inout Evaluation, inout PartialMembership) -> Result
    ) -> Result {
        // Taken out, so that nothing is copied.
        var scope = Evaluation(current.history, part.findings)
        part.findings = VerdictCache(within: OperationSet())
        defer { part.findings = scope.findings }
        return body(&scope, &part)
    }

    /// Takes operations of the graph into a part of it.
    ///
    /// - Parameters:
    ///   - operations: what the part lacks, each after its parents; what is not in the graph is passed over.
    ///   - part: a part of this graph, or of the graph as it was before.
    /// - Complexity: as ``insert(_:)`` on old heads, except that the past verdict of each operation is already known.
    public func include(_ operations: some Sequence<ID>, in part: inout PartialMembership) {
        evaluate(&part) { scope, part in
            for id in operations {
                guard let number = directory.number(of: id) else { continue }
                // As in `insert`: of the joins by one code hardly any is in doubt, once it is known that this one
                // counts.
                if scope.history.records[number].isJoin { scope.evaluateFromCache(number) }
                let forgotten = scope.findings.include(number, in: scope.history)
                part.unsettled.formUnion(forgotten)
                part.unsettled.insert(number)
                // Most of what is written on the way joins heads, and lets nobody in or out.
                if !forgotten.isEmpty || scope.history.records[number].action != .merge { part.admitted = nil }
            }
        }
    }

    /// The members in a part of the graph, as ``MembershipState/members`` says them.
    ///
    /// - Complexity: O(*m*) in the members, and what ``settle()`` costs for what was included since; where some wait
    ///   also what ordering everybody costs, unless only heads were joined since.
    public func members(in part: inout PartialMembership) -> [MembershipState<ID, Person>.Member] {
        evaluate(&part) { scope, part in
            if !part.unsettled.isEmpty {
                _ = part.roster.settle(part.unsettled, in: &scope)
                part.unsettled = []
            }
            let admitted = part.admitted ?? admitted(of: part.roster, in: &scope).members
            part.admitted = admitted
            return members(admitted)
        }
    }

    /// The grants of a person in a part of the graph: the operation that made each, and what is left of its role there,
    /// if anything. What is void by its own past made none.
    ///
    /// - Complexity: O(*g*) in the person's grants, and finding what is left of them.
    public func grants(of person: Person, in part: inout PartialMembership) -> [(maker: ID, remaining: Role?)] {
        guard let person = directory.number(ofPerson: person) else { return [] }
        return evaluate(&part) { scope, _ in
            scope.history.grantsOf[person].compactMap { grant in
                let maker = scope.history.grants[grant].operation
                guard scope.includes(maker), scope.history.records[maker].voidReason == nil else { return nil }
                return (directory.operations[maker], scope.remainingRole(of: grant).role)
            }
        }
    }
}
