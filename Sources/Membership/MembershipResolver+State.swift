import ReplicatedTypes

extension MembershipResolver {
    /// Who is in the group and what it is called. O(*m*) in its members; while nobody is admin also what finding the acting one costs.
    public var state: MembershipState<ID, Person> {
        guard unsettled.isEmpty else { return settled.state }
        var current = current
        let members = members(of: roster, in: &current)
        return MembershipState(
            members: Array(members.prefix(capacity)), waitlist: Array(members.dropFirst(capacity)),
            actingAdmin: current.actingAdmin().map { directory.people[$0] }, registers: spelledRegisters)
    }

    /// Those with and those without room.
    func members(of roster: Roster, in scope: inout Evaluation) -> [MembershipState<ID, Person>.Member] {
        var members = roster.entries.map { member($0.person, $0.standing.role, by: $0.standing.grant) }
        if let acting = scope.actingAdmin() {
            // Nobody else is admin or founder, so they come first, in capacity too.
            members.removeAll { $0.person == directory.people[acting] }
            let grant = roster[acting]?.grant ?? scope.oldestGrant(of: acting)
            if let grant { members.insert(member(acting, .admin, by: grant), at: 0) }
        }
        return members
    }

    private func member(_ person: PersonNumber, _ role: Role, by grant: GrantNumber)
        -> MembershipState<ID, Person>.Member
    {
        let maker = current.history.grants[grant].operation
        let author = current.history.records[maker].author
        return MembershipState<ID, Person>.Member(
            person: directory.people[person], role: role, madeBy: directory.operations[maker],
            addedBy: author == person ? nil : directory.people[author])
    }

    /// What the registers hold, by their names as their last writers spelled them. Of names that are canonically equivalent, which are one, every
    /// replica says the same one.
    private var spelledRegisters: [String: String] {
        var spelled: [String: String] = [:]
        for register in registers.values {
            guard let write = register.value, case .set(let field, let value) = current.history.records[write].action
            else { continue }
            spelled[field] = value
        }
        return spelled
    }
}
