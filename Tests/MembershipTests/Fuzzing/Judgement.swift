import Membership
import ReplicatedTypes

/// Everything that a resolver says about the operations of a graph.
struct Judgement: Equatable {
    /// The verdict on each operation, in the order in which they were asked about; nil for what is not there.
    let verdicts: [Verdict<String>?]
    let state: MembershipState<String, String>
    let participants: ObservedRemoveSet<String, String>
    let admins: ObservedRemoveSet<String, String>

    init(_ resolver: MembershipResolver<String, String>, of operations: [Ledger.Operation]) {
        verdicts = operations.map { resolver.verdict(of: $0.id) }
        state = resolver.state
        participants = resolver.grants(atLeast: .member)
        admins = resolver.grants(atLeast: .admin)
    }

    /// What is wrong with the sets of grants beside the list of members.
    var contradiction: String? {
        // Before he acts the acting admin is in no set by that office.
        let acting = Set([state.actingAdmin].compactMap(\.self))
        let listed = (state.members + state.waitlist).filter { !acting.contains($0.person) }
        if Set(participants.elements).subtracting(acting) != Set(listed.map(\.person)) {
            return "the participants are not the members"
        }
        let inOffice = listed.filter { $0.tier >= .admin }.map(\.person)
        return Set(admins.elements) == Set(inOffice) ? nil : "the admins are not the members in that role"
    }

    /// Who has the smaller name comes first.
    @Sendable static func tieKey(_ person: String) -> TieKey { TieKey(person.utf8) }
}
