/// What an action needs, what it takes, and what may void it after its past let it be: a row of the table in
/// Protocol.md, section 11.
struct ActionRules: Sendable {
    /// The least role of the grant it acts under; nil for what uses no authority.
    var need: Role?
    /// Whether it takes authority away from somebody else, for which the whole authority acted under is needed.
    var takesFromOthers = false
    /// Whether its author gives up something of their own.
    var isSelfOperation = false
    /// Whether it ends an invite.
    var endsInvite = false
    /// Whether it falls with a device that was revoked.
    var fallsWithDevice = true
}

extension IndexedAction {
    /// The table.
    var rules: ActionRules {
        switch self {
        case .create: ActionRules(fallsWithDevice: false)
        case .add: ActionRules(need: .moderator)  // Or member, where a setting says so.
        case .invite: ActionRules(need: .moderator)
        case .join: ActionRules()
        case .decline: ActionRules(endsInvite: true)
        case .cancel: ActionRules(need: .moderator, takesFromOthers: true, endsInvite: true)
        case .remove: ActionRules(need: .moderator, takesFromOthers: true)
        case .promote: ActionRules(need: .admin)
        case .demote: ActionRules(need: .admin, takesFromOthers: true)
        case .set: ActionRules(need: .admin)
        case .ratify: ActionRules(need: .admin, takesFromOthers: true)
        case .device: ActionRules()
        case .revoke: ActionRules(fallsWithDevice: false)
        case .merge: ActionRules()
        case .leave: ActionRules(isSelfOperation: true)
        case .stepdown: ActionRules(isSelfOperation: true)
        }
    }

    /// The role that must be left of a grant for the action to be done under it; nil for what uses no authority.
    ///
    /// Somebody who adds as a plain member needs no more than that. Whether they may is a matter of their own past, and
    /// of the settings there that count: see `AdditionRule.swift`.
    func need(under role: Role) -> Role? {
        guard let need = rules.need else { return nil }
        if rules.takesFromOthers { return role }
        if case .add = self { return min(need, role) }
        return need
    }
}
