/// What the rules of membership make of a set of operations of one group, worked out naively from their text.
///
/// This is the simulator's own reading of the specification: it shares no code with the module `Membership`, which it
/// checks. The sets of ancestors are written out, and State(past) is evaluated anew for every operation whose static
/// check asks about it.
package struct NaiveMembership<
    ID: Hashable & Comparable & Sendable, Person: Hashable & Comparable & Sendable
>: Sendable {
    /// A member with their role.
    package struct Member: Hashable, Sendable {
        /// Who.
        package let person: Person
        /// What they may do; admin for the acting admin.
        package let role: NaiveRole
    }

    /// A grant, as far as it goes.
    package struct Given: Hashable, Sendable {
        /// The operation that made it.
        package let maker: ID
        /// At which role it is live; nil for one that is not.
        package let role: NaiveRole?
    }

    /// Why an operation is void.
    package struct Reason: Hashable, Sendable {
        /// The rule, in words.
        package let rule: String
        /// The operation that voids it, if another one does.
        package let culprit: ID?
    }

    /// Those admitted, by role and then by seniority.
    package let members: [Member]
    /// Those beyond the capacity, by role and then by what is confirmed of their seniority.
    package let waitlist: [Member]
    /// Who acts as admin while nobody is admin or founder.
    package let actingAdmin: Person?
    /// The registers, field and value as bytes of UTF-8: texts that look alike are different texts.
    package let registers: [[UInt8]: [UInt8]]
    /// The grants of admin or founder whose operations are effective, each with the effective operations that ended or
    /// lowered it.
    package let offices: [(maker: ID, losses: [ID])]
    /// The effective writes of each register, each after those that it overwrites.
    package let writes: [[UInt8]: [ID]]
    /// The grants of each person.
    package let grants: [Person: [Given]]
    /// The void operations; every other one is effective.
    package let void: [ID: Reason]
    /// The rank of each operation that has one: of the grant it acts under or, for a join, makes.
    package let ranks: [ID: NaiveRank]
    /// What was judged.
    package let operations: [NaiveOperation<ID, Person>]

    /// Whether fewer than two members are admitted.
    package var isArchived: Bool { members.count < 2 }

    /// Judges operations in causal order, the creation first.
    ///
    /// - Parameter tieBreaker: the bytes that decide between grants of the same role, depth and slot, by their holder.
    /// - Throws: ``NaiveDisorder`` if the operations are in no causal order, or not of one group.
    /// - Complexity: O(*n*²) for usual graphs and O(*n*³) for the worst.
    package init(
        judging operations: [NaiveOperation<ID, Person>], capacity: Int = 256, tieBreaker: (Person) -> [UInt8]
    ) throws(NaiveDisorder<ID>) {
        let history = try NaiveHistory(operations, tieBreaker: tieBreaker)
        // Its states do not keep it alive.
        defer { withExtendedLifetime(history) {} }
        var everything = NumberSet(limit: operations.count)
        for number in operations.indices { everything.insert(number) }
        let state = NaiveState(history, everything)

        let acting = state.actingAdmin
        var roles: [Person: NaiveRole] = [:]
        for person in state.people { roles[person] = state.role(of: person) }
        if let acting { roles[acting] = .admin }
        let order = roles.map { (member: Member(person: $0, role: $1), seniority: state.seniority(of: $0)) }
            .sorted { left, right in
                if left.member.role != right.member.role { return left.member.role > right.member.role }
                // Only the acting admin may have no live grant, and nobody else has their role.
                guard let first = left.seniority, let second = right.seniority else { return false }
                return first < second
            }
            .map(\.member)
        let waiting = Array(
            order.map { (member: $0, seniority: state.confirmedSeniority(of: $0.person)) }
                .sorted { left, right in
                    if left.member.role != right.member.role { return left.member.role > right.member.role }
                    guard let first = left.seniority, let second = right.seniority else { return false }
                    return first < second
                }
                .map(\.member).dropFirst(capacity))
        waitlist = waiting
        members = order.filter { !waiting.contains($0) }
        actingAdmin = acting
        registers = state.registers
        writes = state.writes.mapValues { $0.map { operations[$0.number].id } }
        offices = state.offices.map { (operations[$0.maker].id, $0.losses.map { operations[$0].id }) }
        grants = history.grantsOfHolder.mapValues { grants in
            grants.map { grant in
                Given(
                    maker: operations[grant.maker].id,
                    role: state.isEffective(grant.maker) ? state.liveRole(of: grant) : nil)
            }
        }
        var void: [ID: Reason] = [:]
        var ranks: [ID: NaiveRank] = [:]
        for (number, operation) in operations.enumerated() {
            ranks[operation.id] = history.rank(of: number)
            if let voidReason = state.voidReason(of: number) {
                void[operation.id] = Reason(
                    rule: voidReason.rule, culprit: voidReason.culprit.map { operations[$0].id })
            }
        }
        self.void = void
        self.ranks = ranks
        self.operations = operations
    }
}
