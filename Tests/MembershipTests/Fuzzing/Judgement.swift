import Membership

/// Everything that a resolver says about a graph.
struct Judgement: Equatable {
    let verdicts: [String: Verdict<String>]
    let state: MembershipState<String, String>

    init(_ resolver: MembershipResolver<String, String>, of operations: [RandomGraph.Operation]) {
        verdicts = Dictionary(
            uniqueKeysWithValues: operations.compactMap { operation in
                resolver.verdict(of: operation.id).map { (operation.id, $0) }
            })
        state = resolver.state
    }

    /// Judges operations one after the other.
    static func incremental(_ operations: [RandomGraph.Operation]) -> Judgement {
        var resolver = MembershipResolver<String, String>(capacity: 5, tieKey: tieKey)
        for operation in operations { resolver.insert(operation) }
        return Judgement(resolver, of: operations)
    }

    /// Judges operations all at once.
    static func full(_ operations: [RandomGraph.Operation]) -> Judgement {
        Judgement(MembershipResolver(evaluating: operations, capacity: 5, tieKey: tieKey), of: operations)
    }

    /// Who has the smaller name comes first.
    @Sendable static func tieKey(_ person: String) -> TieKey { TieKey(person.utf8) }
}
