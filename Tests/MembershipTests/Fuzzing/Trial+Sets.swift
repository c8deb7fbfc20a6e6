import Membership
import ReplicatedTypes

extension Trial {
    /// What is wrong with the sets of grants, against the list of members and those of a full evaluation.
    var contradiction: String? {
        // Before they act the acting admin is in no set by that office.
        let acting = Set([judgment.state.actingAdmin].compactMap(\.self))
        let listed = (judgment.state.members + judgment.state.waitlist).filter { !acting.contains($0.person) }
        let full = full(ofFirst: operations.count)
        for role in [Role.member, .admin] {
            let set = resolver.grants(atLeast: role)
            guard set == full.grants(atLeast: role) else { return "the sets differ from those of a full evaluation" }
            let holders = listed.filter { $0.role >= role }.map(\.person)
            guard Set(set.elements).subtracting(acting) == Set(holders) else {
                return "who holds \(role.name) is not who is listed so"
            }
        }
        return nil
    }
}
