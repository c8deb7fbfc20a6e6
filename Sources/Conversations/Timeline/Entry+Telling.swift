import OperationLog
import Storage

/// What a timeline asks of an operation.
extension Group.Entry {
    /// Its place in the order of the conversation.
    var position: MessagePosition { MessagePosition(hybridTime: hybridTime, id: operation.id) }

    /// Whether its author claims to be the acting admin, and becomes admin by it.
    var isByActingAdmin: Bool {
        switch body {
        case .add(let authority, _), .invite(let authority, _), .cancel(let authority, _), .remove(let authority, _, _),
            .promote(let authority, _, _), .demote(let authority, _, _), .set(let authority, _, _),
            .ratify(let authority, _, _):
            authority == .acting
        case .create, .join, .decline, .device, .merge, .leave, .stepdown, .revoke, nil: false
        }
    }

    /// Whether somebody may be admin by it, or be none any more.
    var mayChangeOffice: Bool {
        switch body {
        case .remove, .promote, .demote, .ratify, .leave, .stepdown: true
        case .create, .add, .invite, .join, .decline, .cancel, .set, .device, .merge, .revoke, nil: false
        }
    }

    /// To whom it grants something, if it counts.
    var peopleGranted: [UserID] {
        let author = operation.author.user
        let people: [UserID] =
            switch body {
            case .create, .join: [author]
            case .add(_, let targets): targets.map(\.user)
            case .promote(_, let target, _), .demote(_, let target, _): [target]
            case .ratify(_, let keep, _): keep.map(\.user)
            case .invite, .decline, .cancel, .remove, .set, .device, .merge, .leave, .stepdown, .revoke, nil: []
            }
        return isByActingAdmin ? people + [author] : people
    }
}
