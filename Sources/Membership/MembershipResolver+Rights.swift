/// A kind of decision that needs authority.
package enum Right: Hashable, Sendable, CaseIterable {
    /// To make people members.
    case add
    /// To offer membership.
    case invite
    /// To take people out.
    case remove
    /// To give roles.
    case promote
    /// To write registers.
    case set
}

extension MembershipResolver {
    /// What a person may decide now. Whom it may be about is another question: an operation is void if it takes
    /// authority from somebody who ranks above its author, and ``voidReason(of:by:as:after:)`` tries it.
    ///
    /// - Complexity: O(*g*) in the person's grants, where ``voidReason(of:by:as:after:)`` copies the resolver.
    package func rights(of person: Person) -> Set<Right> {
        guard let person = directory.number(ofPerson: person) else { return [] }
        var current = settled.current
        if current.actingAdmin() == person { return Set(Right.allCases) }
        let everyMemberAdds = current.settingThatLetsEveryMemberAdd() != nil
        let grants = current.liveGrants(of: person).map {
            (role: current.history.grants[$0].role, remaining: current.remainingRole(of: $0))
        }
        return Set(
            Right.allCases.filter { right in
                let action = right.action(of: person)
                return grants.contains { grant in
                    guard let need = action.rules.need, let remaining = action.need(under: grant.role) else {
                        return false
                    }
                    let isEnough = grant.role >= need || right == .add && everyMemberAdds
                    return isEnough && grant.remaining.suffices(for: remaining)
                }
            })
    }
}

extension Right {
    /// Some action of the kind: what it needs does not depend on whom it is about.
    fileprivate func action(of person: PersonNumber) -> IndexedAction {
        switch self {
        case .add: .add([person])
        case .invite: .invite(person)
        case .remove: .remove(person)
        case .promote: .promote(person, .member)
        case .set: .set(field: "", value: "")
        }
    }
}
