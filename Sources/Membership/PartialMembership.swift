/// A causally closed part of the graph of a ``MembershipResolver``, and what was found so far about who is a member there.
///
/// It holds no operations, only verdicts: a byte or two for each operation of the graph.
public struct PartialMembership: Sendable {
    fileprivate var findings = VerdictCache(within: OperationSet())
    fileprivate var unsettled: Set<OperationNumber> = []
    fileprivate var roster = Roster()

    /// Holds nothing.
    public init() {}
}

extension MembershipResolver {
    /// Takes operations of the graph into a part of it.
    ///
    /// - Parameters:
    ///   - operations: what the part lacks, each after its parents; what is not in the graph is passed over.
    ///   - part: a part of this graph, or of the graph as it was before.
    /// - Complexity: as ``insert(_:)`` on old heads, except that the past verdict of each operation is already known.
    public func include(_ operations: some Sequence<ID>, in part: inout PartialMembership) {
        // Taken out, so that nothing is copied.
        var scope = Evaluation(current.history, part.findings)
        part.findings = VerdictCache(within: OperationSet())
        for id in operations {
            guard let number = directory.number(of: id) else { continue }
            // As in `insert`: of the joins by one code hardly any is in doubt, once it is known that this one counts.
            if scope.history.records[number].isJoin { scope.evaluateFromCache(number) }
            part.unsettled.formUnion(scope.findings.include(number, in: scope.history))
            part.unsettled.insert(number)
        }
        part.findings = scope.findings
    }

    /// The members in a part of the graph, as ``MembershipState/members`` says them.
    ///
    /// - Complexity: O(*m*) in the members, and what ``settle()`` costs for what was included since.
    public func members(in part: inout PartialMembership) -> [MembershipState<ID, Person>.Member] {
        // Taken out, so that nothing is copied.
        var scope = Evaluation(current.history, part.findings)
        part.findings = VerdictCache(within: OperationSet())
        if !part.unsettled.isEmpty {
            _ = part.roster.settle(part.unsettled, in: &scope)
            part.unsettled = []
        }
        let members = members(of: part.roster, in: &scope)
        part.findings = scope.findings
        return Array(members.prefix(capacity))
    }

    /// The grants of a person in a part of the graph: the operation that made each, and what is left of its role there, if anything.
    ///
    /// - Complexity: O(*g*) in the person's grants, and finding what is left of them.
    public func grants(of person: Person, in part: inout PartialMembership) -> [(maker: ID, remaining: Role?)] {
        guard let person = directory.number(ofPerson: person) else { return [] }
        // Taken out, so that nothing is copied.
        var scope = Evaluation(current.history, part.findings)
        part.findings = VerdictCache(within: OperationSet())
        defer { part.findings = scope.findings }
        return scope.history.grantsOf[person].filter { scope.includes(scope.history.grants[$0].operation) }.map {
            (directory.operations[scope.history.grants[$0].operation], scope.remainingRole(of: $0).role)
        }
    }
}
