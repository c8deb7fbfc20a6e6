import Membership
import OperationLog

extension MembershipBody {
    /// The body of an operation of the membership lane; nil for a type this version does not know.
    ///
    /// - Precondition: the operation was admitted, so its body is here, canonical and verified.
    public static func of(_ operation: Operation) -> MembershipBody? {
        guard let bytes = operation.body else { preconditionFailure("membership bodies are never missing") }
        do throws(MalformedBytes) {
            return try decode(bytes, type: operation.header.type, isVerified: true)
        } catch {
            preconditionFailure("a malformed membership body is inadmissible: \(error)")
        }
    }

    /// The credentials that the body carries.
    public var credentials: [Credentials] {
        switch self {
        case .create(_, let person), .invite(_, .person(let person)), .join(_, let person, _): [person]
        case .add(_, let people): people
        case .device(let own, let other, _): [own, other].compactMap(\.self)
        case .invite(_, .holder), .decline, .cancel, .remove, .promote, .demote, .set, .ratify, .merge, .leave,
            .stepdown, .revoke:
            []
        }
    }

    /// The tombstones that the body carries.
    public var tombstones: [Tombstone] {
        switch self {
        case .device(_, _, let tombstones): tombstones
        case .revoke(let revocation): [revocation.tombstone]
        case .create, .add, .invite, .join, .decline, .cancel, .remove, .promote, .demote, .set, .ratify, .merge,
            .leave, .stepdown:
            []
        }
    }

    /// The people it is about, its author aside.
    public var targets: [UserID] {
        switch self {
        case .add(_, let people): people.map(\.user)
        case .invite(_, let invitee): invitee.user.map { [$0] } ?? []
        case .remove(_, let user, _), .promote(_, let user, _), .demote(_, let user, _): [user]
        case .ratify(_, let keep, let bans): keep.map(\.user) + bans.map(\.user)
        case .create, .join, .decline, .cancel, .set, .device, .merge, .leave, .stepdown, .revoke: []
        }
    }

    /// What it writes into a register; nil for what writes none.
    public var value: String? {
        switch self {
        case .set(_, _, let value): value
        case .create, .add, .invite, .join, .decline, .cancel, .remove, .promote, .demote, .ratify, .device, .merge,
            .leave, .stepdown, .revoke:
            nil
        }
    }

    /// The word for its type.
    public var word: String {
        switch self {
        case .create: "create"
        case .add: "add"
        case .invite(_, .person): "invite"
        case .invite(_, .holder): "invite by code"
        case .join: "join"
        case .decline: "decline"
        case .cancel: "cancel"
        case .remove: "remove"
        case .promote(_, _, let role): "promote to \(role.name)"
        case .demote(_, _, let role): "demote to \(role.name)"
        case .set(_, let field, _): "set \(field)"
        case .ratify: "ratify"
        case .device: "device"
        case .merge: "merge"
        case .leave: "leave"
        case .stepdown: "stepdown"
        case .revoke: "revoke a device"
        }
    }

    /// What the rules make of it.
    var action: Action<OperationID, UserID, DeviceID> {
        switch self {
        case .create: .create
        case .add(let authority, let targets): .add(authority.named, targets.map(\.user))
        case .invite(let authority, let invitee): .invite(authority.named, invitee.user)
        case .join(let invite, _, _): .join(invite)
        case .decline(let invite): .decline(invite)
        case .cancel(let authority, let invite): .cancel(authority.named, invite)
        case .remove(let authority, let target, _): .remove(authority.named, target)
        case .promote(let authority, let target, let role): .promote(authority.named, target, role)
        case .demote(let authority, let target, let role): .demote(authority.named, target, role)
        case .set(let authority, let field, let value): .set(authority.named, field: field, value: value)
        case .ratify(let authority, let keep, let bans):
            .ratify(authority.named, keep: keep.map { Kept($0.user, $0.role) }, bans: bans.map(\.user))
        case .device: .device
        case .merge: .merge
        case .leave: .leave
        case .stepdown: .stepdown
        case .revoke(let revocation):
            .revoke(revocation.user, revocation.device, pins: revocation.decisions)
        }
    }
}

extension MembershipBody.Authority {
    init(_ authority: Authority<OperationID>) {
        switch authority {
        case .acting: self = .acting
        case .grant(let operation, let slot): self = .grant(operation: operation, slot: slot)
        }
    }

    var named: Authority<OperationID> {
        switch self {
        case .acting: .acting
        case .grant(let operation, let slot): .grant(operation, slot: slot)
        }
    }
}
