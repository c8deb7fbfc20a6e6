/// What an operation does, with people by number.
///
/// The grant it acts under and the invite it answers are next to it in ``IndexedOperation``, looked up in its past.
enum IndexedAction: Hashable, Sendable {
    case create
    case add([PersonNumber])
    case invite(PersonNumber?)
    case join, decline, cancel
    case remove(PersonNumber)
    case promote(PersonNumber, Role)
    case demote(PersonNumber, Role)
    case set(field: String, value: String)
    case ratify(keep: [Kept<PersonNumber>], bans: [PersonNumber])
    case device, merge
    case revoke(DeviceNumber)
    case leave, stepdown

    init(_ action: Action<OperationNumber, PersonNumber, DeviceNumber>) {
        self =
            switch action {
            case .create: .create
            case .add(_, let people): .add(people)
            case .invite(_, let person): .invite(person)
            case .join: .join
            case .decline: .decline
            case .cancel: .cancel
            case .remove(_, let person): .remove(person)
            case .promote(_, let person, let role): .promote(person, role)
            case .demote(_, let person, let role): .demote(person, role)
            case .set(_, let field, let value): .set(field: field, value: value)
            case .ratify(_, let keep, let bans): .ratify(keep: keep, bans: bans)
            case .device: .device
            case .revoke(_, let device, _): .revoke(device)
            case .merge: .merge
            case .leave: .leave
            case .stepdown: .stepdown
            }
    }

    /// The table of what needs which role; nil for what uses no authority. A member may add while a setting says so: see ``need(under:)``.
    var need: Role? {
        switch self {
        case .add, .invite, .cancel, .remove: .moderator
        case .promote, .demote, .set, .ratify: .admin
        case .create, .join, .decline, .device, .revoke, .merge, .leave, .stepdown: nil
        }
    }

    /// The role that must be left of a grant for the action to be done under it; nil for what uses no authority.
    ///
    /// Somebody who adds as a plain member needs no more than that. Whether they may is a matter of their own past, so a concurrent change of the setting
    /// voids nothing.
    func need(under role: Role) -> Role? {
        guard let need else { return nil }
        if needsWholeGrant { return role }
        if case .add = self { return min(need, role) }
        return need
    }

    /// Whether it takes authority away from somebody else, for which the whole authority acted under is needed.
    var needsWholeGrant: Bool {
        switch self {
        case .cancel, .remove, .demote, .ratify: true
        case .create, .add, .invite, .join, .decline, .promote, .set, .device, .revoke, .merge, .leave,
            .stepdown:
            false
        }
    }

    /// Whether its author gives up something of their own.
    var isSelfOperation: Bool {
        switch self {
        case .leave, .stepdown: true
        case .create, .add, .invite, .join, .decline, .cancel, .remove, .promote, .demote, .set, .ratify, .device,
            .revoke, .merge:
            false
        }
    }

    /// Whether it ends an invite.
    var endsInvite: Bool {
        switch self {
        case .decline, .cancel: true
        case .create, .add, .invite, .join, .remove, .promote, .demote, .set, .ratify, .device, .revoke, .merge,
            .leave, .stepdown:
            false
        }
    }
}
