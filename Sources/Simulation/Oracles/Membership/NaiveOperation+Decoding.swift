import Conversations
import Cryptography
import Membership
import OperationLog

extension NaiveOperation where ID == OperationID, Person == UserID {
    /// Reduces an operation of the membership lane.
    ///
    /// - Throws: ``MalformedBytes`` if the body is malformed or absent: no replica may hold such an operation.
    package init(_ operation: Operation) throws(MalformedBytes) {
        guard let bytes = operation.body else { throw .truncated }
        let body = try MembershipBody.decode(bytes, type: operation.header.type)
        self.init(
            id: operation.id, author: operation.author.user, device: operation.author.id.digest.bytes,
            parents: operation.header.parents, action: body.map(NaiveAction.init) ?? .merge)
    }
}

extension NaiveMembership where ID == OperationID, Person == UserID {
    /// Judges the membership lane of a group, in causal order.
    package init(
        judging operations: [NaiveOperation<OperationID, UserID>], of conversation: ConversationID
    ) throws(NaiveDisorder<OperationID>) {
        try self.init(judging: operations) { user in
            Digest.hash("moot/1/tie", conversation.digest.bytes, user.digest.bytes).bytes
        }
    }
}

extension NaiveAction where ID == OperationID, Person == UserID {
    /// Reduces a body.
    package init(_ body: MembershipBody) {
        self =
            switch body {
            case .create: .create
            case .add(let under, let targets): .add(under: NaiveAuthority(under), targets: targets.map(\.user))
            case .invite(let under, .person(let target)): .invite(under: NaiveAuthority(under), target: target.user)
            case .invite(let under, .holder): .invite(under: NaiveAuthority(under), target: nil)
            case .join(let invite, _, _): .join(invite: invite)
            case .decline(let invite): .decline(invite: invite)
            case .cancel(let under, let invite): .cancel(under: NaiveAuthority(under), invite: invite)
            case .remove(let under, let target, _): .remove(under: NaiveAuthority(under), target: target)
            case .promote(let under, let target, let role):
                .promote(under: NaiveAuthority(under), target: target, role: NaiveRole(role))
            case .demote(let under, let target, let role):
                .demote(under: NaiveAuthority(under), target: target, role: NaiveRole(role))
            case .set(let under, let field, let value):
                .set(under: NaiveAuthority(under), field: Array(field.utf8), value: Array(value.utf8))
            case .ratify(let under, let keep, let bans):
                .ratify(
                    under: NaiveAuthority(under), keep: keep.map { NaiveKeep($0.user, NaiveRole($0.role)) },
                    bans: bans.map(\.user))
            case .device: .device
            case .merge: .merge
            case .leave: .leave
            case .stepdown: .stepdown
            case .revoke(let revocation):
                .revoke(of: revocation.user, device: revocation.device.digest.bytes, pins: revocation.decisions)
            }
    }
}

extension NaiveAuthority where ID == OperationID {
    fileprivate init(_ authority: MembershipBody.Authority) {
        self =
            switch authority {
            case .acting: .acting
            case .grant(let operation, let slot): .grant(operation, slot: slot)
            }
    }
}

extension NaiveRole {
    /// The same role.
    package init(_ role: Role) {
        self =
            switch role {
            case .member: .member
            case .moderator: .moderator
            case .admin: .admin
            case .founder: .founder
            }
    }
}
