import Membership
import ReplicatedTypes

/// Everything that a resolver says about a graph.
struct Judgement: Equatable {
    let verdicts: [String: Verdict<String>]
    let state: MembershipState<String, String>
    let participants: ObservedRemoveSet<String, String>
    let admins: ObservedRemoveSet<String, String>

    init(_ resolver: MembershipResolver<String, String>, of operations: [RandomGraph.Operation]) {
        verdicts = Dictionary(
            uniqueKeysWithValues: operations.compactMap { operation in
                resolver.verdict(of: operation.id).map { (operation.id, $0) }
            })
        state = resolver.state
        participants = resolver.grants(atLeast: .member)
        admins = resolver.grants(atLeast: .admin)
    }

    /// Judges operations one after the other.
    static func incremental(_ operations: [RandomGraph.Operation], capacity: Int = 5) -> Judgement {
        var resolver = MembershipResolver<String, String>(capacity: capacity, tieKey: tieKey)
        for operation in operations { resolver.insert(operation) }
        return Judgement(resolver, of: operations)
    }

    /// Judges operations all at once.
    static func full(_ operations: [RandomGraph.Operation], capacity: Int = 5) -> Judgement {
        Judgement(MembershipResolver(evaluating: operations, capacity: capacity, tieKey: tieKey), of: operations)
    }

    /// What is wrong with the sets of grants beside the list of members.
    var contradiction: String? {
        let people = Set((state.members + state.waitlist).map(\.person))
        let acting = state.actingAdmin.map { [$0] } ?? []
        if Set(participants.elements).union(acting) != people { return "the participants are not the members" }
        let inOffice = Set((state.members + state.waitlist).filter { $0.tier >= .admin }.map(\.person)).subtracting(
            acting)
        return Set(admins.elements) == inOffice ? nil : "the admins are not the members in that role"
    }

    /// Who has the smaller name comes first.
    @Sendable static func tieKey(_ person: String) -> TieKey { TieKey(person.utf8) }
}
