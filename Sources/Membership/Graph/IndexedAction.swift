/// What an operation does, with people by number.
///
/// The grant it acts under and the invite it answers are next to it in ``IndexedOperation``, looked up in its past.
/// What each needs and takes says `ActionTable.swift`.
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
}
