import Membership

/// What the rules make of a scenario.
public struct ScenarioOutcome: Sendable {
    /// A member with their role.
    public struct Member: Hashable, Sendable {
        /// Who it is.
        public let person: Name
        /// The role; admin for the acting admin.
        public let role: Role
    }

    /// An operation that does not count.
    public struct VoidOperation: Hashable, Sendable {
        /// Which it is.
        public let id: Name
        /// The rule it breaks, and the operation that decided.
        public let voidReason: VoidReason<Name>
    }

    /// A register and what was written last.
    public struct Field: Hashable, Sendable {
        /// The register.
        public let name: Name
        /// What it holds.
        public let value: String
    }

    /// Who is in the group, without those who wait, in the order of their names.
    public let members: [Member]
    /// Who acts as admin.
    public let acting: Name?
    /// Whether fewer than two members are left.
    public let isArchived: Bool
    /// Who has no room, in the order of their names.
    public let waitlist: [Name]
    /// The registers, in the order of their names.
    public let fields: [Field]
    /// The operations that do not count, in the order of their names.
    public let void: [VoidOperation]
    /// What became of each grant, by the names of those who were given any.
    public let grants: [(person: Name, accounts: [GrantOutcome<Name>])]
    /// What counts of the content, in the order of its names; nil where the scenario has none.
    public let content: [(id: Name, verdict: ContentVerdict)]?
}

extension Scenario {
    /// Asks the rules.
    public func outcome() -> ScenarioOutcome {
        // A hash would only hide from the reader of a scenario who comes before whom.
        var resolver = MembershipResolver<Name, Name, Name>(capacity: capacity) { TieBreaker($0.text.utf8) }
        for operation in operations { resolver.insert(operation) }
        resolver.settle()
        let state = resolver.state
        return ScenarioOutcome(
            members: state.members.map { .init(person: $0.person, role: $0.role) }.sorted { $0.person < $1.person },
            acting: state.actingAdmin,
            isArchived: state.isArchived,
            waitlist: state.waitlist.map(\.person).sorted(),
            fields: state.registers.map { .init(name: Name($0.key.text), value: $0.value) }
                .sorted { $0.name < $1.name },
            void: resolver.void.compactMap { id in
                resolver.verdict(of: id)?.voidReason.map { ScenarioOutcome.VoidOperation(id: id, voidReason: $0) }
            },
            grants: resolver.holders.map { ($0, resolver.grantOutcomes(for: $0)) },
            content: content.map { verdicts(on: $0, in: resolver) })
    }
}
