import Membership

/// What a story asks at its end.
extension Room {
    var state: MembershipState<OperationName, String> { resolver.state }

    /// Everybody's role.
    var roles: [String: Role] {
        Dictionary(uniqueKeysWithValues: state.members.map { ($0.person, $0.role) })
    }

    /// Who is in the group, the highest role first, then the most senior.
    var members: [String] { state.members.map(\.person) }

    /// Who waits for room, the first to be let in first.
    var waiting: [String] { state.waitlist.map(\.person) }

    /// Who acts as admin.
    var actingAdmin: String? { state.actingAdmin }

    /// What the group is called.
    var name: String? { state.registers["name"] }

    /// What does not count, in the order in which it was told.
    var void: [OperationName] { operations.map(\.id).filter { !counts($0) } }

    /// Whether an operation counts.
    func counts(_ operation: OperationName) -> Bool { resolver.verdict(of: operation) == .effective }

    /// Why an operation does not count; nil if it does.
    func reason(against operation: OperationName) -> Reason? {
        resolver.verdict(of: operation)?.voidReason.map { Reason($0) }
    }
}

extension OperationName {
    /// The grant that this operation made; of several the one at a slot.
    func grant(_ slot: UInt64 = 1) -> Authority<OperationName> { .grant(self, slot: slot) }
}
