import Membership

/// Everything that a resolver says about the operations of a graph.
struct Judgment: Equatable {
    /// The verdict on each operation, in the order in which they were asked about; nil for what is not there.
    let verdicts: [Verdict<String>?]
    let state: MembershipState<String, String>

    init(_ resolver: MembershipResolver<String, String, String>, of operations: [Ledger.Operation]) {
        verdicts = operations.map { resolver.verdict(of: $0.id) }
        state = resolver.state
    }

    /// Who has the smaller name comes first.
    @Sendable static func tieBreaker(_ person: String) -> TieBreaker { TieBreaker(person.utf8) }
}
