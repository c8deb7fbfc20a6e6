import ReplicatedTypes

extension MembershipResolver {
    /// Who is in the group and what it is called. O(*m*) in its members; while nobody is admin also what finding the
    /// acting one costs.
    public var state: MembershipState<ID, Person> {
        guard unsettled.isEmpty else { return settled.state }
        var current = current
        let (admitted, waiting) = admitted(of: roster, in: &current)
        return MembershipState(
            members: members(admitted), waitlist: members(waiting),
            actingAdmin: current.actingAdmin().map { directory.people[$0] }, registers: values)
    }

    /// Those with and those without room: by role, then by what is confirmed of their seniority.
    ///
    /// - Complexity: O(*m*) in the members; where some wait O(*n*) in the graph, and O(*g*) in the grants of the
    ///   members.
    func admitted(
        of roster: Roster, in scope: inout Evaluation
    ) -> (members: [RosterMember], waitlist: [RosterMember]) {
        var entries = roster.entries
        var first: [RosterMember] = []
        if let acting = scope.actingAdmin() {
            // Nobody else is admin or founder, so they come first, in capacity too.
            entries.removeAll { $0.person == acting }
            let grant = roster[acting]?.grant ?? scope.oldestGrant(of: acting)
            if let grant { first = [RosterMember(person: acting, role: .admin, grant: grant)] }
        }
        let room = capacity - first.count
        guard entries.count > room else { return (first + entries.map(RosterMember.init), []) }
        let confirmations = scope.confirmations()
        let order = entries.compactMap { entry in
            scope.seniority(of: entry, confirmations).map { (entry: entry, seniority: $0) }
        }
        .sorted {
            let (role, other) = ($0.entry.standing.role, $1.entry.standing.role)
            return role != other ? role > other : $0.seniority < $1.seniority
        }
        let waiting = order.dropFirst(room).map(\.entry)
        let outside = Set(waiting.map(\.person))
        let inside = entries.filter { !outside.contains($0.person) }
        return (first + inside.map(RosterMember.init), waiting.map(RosterMember.init))
    }

    /// The same as they are told to others.
    func members(_ members: [RosterMember]) -> [MembershipState<ID, Person>.Member] {
        members.map { member($0.person, $0.role, by: $0.grant) }
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

    private var values: [RegisterName: String] {
        registers.compactMapValues { register in
            guard let write = register.value, case .set(_, let value) = current.history.records[write].action else {
                return nil
            }
            return value
        }
    }
}

/// Somebody in the roster with their role, and the grant that says since when.
struct RosterMember: Sendable {
    let person: PersonNumber
    let role: Role
    let grant: GrantNumber
}

extension RosterMember {
    init(_ entry: Roster.Entry) {
        self.init(person: entry.person, role: entry.standing.role, grant: entry.standing.grant)
    }
}
