/// What an operation does, with people by number.
///
/// The grant it acts under and the invite it answers stand beside it in ``Record``, looked up in its past.
enum Deed: Hashable, Sendable {
    case create
    case add([Int])
    case invite(Int)
    case join, decline, cancel
    case remove(Int)
    case promote(Int, Tier)
    case demote(Int, Tier)
    case set(field: String, value: String)
    case ratify(keep: [Kept<Int>], bans: [Int])
    case device, merge
    case leave, stepdown

    /// The table of what needs which tier; nil for what uses no authority.
    var need: Tier? {
        switch self {
        case .add, .invite, .cancel, .remove: .moderator
        case .promote, .demote, .set, .ratify: .admin
        case .create, .join, .decline, .device, .merge, .leave, .stepdown: nil
        }
    }

    /// Whether it takes authority away from somebody else, for which the whole authority acted under is needed.
    var needsWholeGrant: Bool {
        switch self {
        case .cancel, .remove, .demote, .ratify: true
        case .create, .add, .invite, .join, .decline, .promote, .set, .device, .merge, .leave, .stepdown: false
        }
    }

    /// Whether its author gives up something of his own.
    var isSelfOperation: Bool {
        switch self {
        case .leave, .stepdown: true
        case .create, .add, .invite, .join, .decline, .cancel, .remove, .promote, .demote, .set, .ratify, .device,
            .merge:
            false
        }
    }

    /// Whether it ends an invite.
    var endsInvite: Bool {
        switch self {
        case .decline, .cancel: true
        case .create, .add, .invite, .join, .remove, .promote, .demote, .set, .ratify, .device, .merge, .leave,
            .stepdown:
            false
        }
    }
}
