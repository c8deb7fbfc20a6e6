extension Evaluation {
    /// The state that follows from what counts in the scope.
    ///
    /// - Parameters:
    ///   - roster: everybody who is a member by a live grant.
    ///   - capacity: how many members are let in.
    mutating func state(
        _ roster: Roster, registers: [String: String], capacity: Int
    ) -> MembershipState<ID, Person> {
        let acting = actingAdmin()
        var members = roster.entries.map { member($0.person, $0.standing.role, by: $0.standing.grant) }
        if let acting {
            // Nobody else is admin or founder, so he comes first, in capacity too.
            members.removeAll { $0.person == history.people[acting] }
            let grant = roster[acting]?.grant ?? oldestGrant(of: acting)
            if let grant { members.insert(member(acting, .admin, by: grant), at: 0) }
        }
        return MembershipState(
            members: Array(members.prefix(capacity)), waitlist: Array(members.dropFirst(capacity)),
            actingAdmin: acting.map { history.people[$0] }, registers: registers)
    }

    private func member(_ person: Int, _ tier: Tier, by grant: Int) -> MembershipState<ID, Person>.Member {
        let maker = history.grants[grant].operation
        let author = history.records[maker].author
        return MembershipState<ID, Person>.Member(
            person: history.people[person], tier: tier, madeBy: history.names[maker],
            addedBy: author == person ? nil : history.people[author])
    }
}
