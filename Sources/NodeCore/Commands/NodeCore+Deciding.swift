import Conversations
import Membership
import OperationLog

/// Finds the authority under which an operation takes effect, and refuses what would be void.
extension NodeCore {
    /// Writes operations under the best authority this user has, after checking that none would be void.
    mutating func decide(
        in replica: Replica, _ bodies: (MembershipBody.Authority) -> [MembershipBody]
    ) throws(NodeError) {
        try requireMembership(in: replica)
        try write(in: replica, under: try authority(for: bodies, in: replica), bodies)
    }

    /// Writes operations under one authority, in one commit.
    ///
    /// - Parameter heads: what the first one follows besides what this device wrote last, where that is not all that is
    ///   here. The others follow it directly, and nothing introduces this device: that would follow all that is here.
    mutating func write(
        in replica: Replica, under authority: MembershipBody.Authority, after heads: [OperationID]? = nil,
        _ bodies: (MembershipBody.Authority) -> [MembershipBody]
    ) throws(NodeError) {
        try write(in: replica.id, introducing: heads != nil) { log, author, time throws(MalformedBytes) in
            var authority = authority
            var written: [AdmittedOperation] = []
            for index in bodies(authority).indices {
                let draft = bodies(authority)[index].draft
                if let heads {
                    written += try log.write(
                        membership: draft, after: index == 0 ? heads : [], by: author, at: time)
                } else {
                    written += try log.write(membership: [draft], by: author, at: time)
                }
                // By acting once the acting admin becomes admin, and acts under that.
                if authority == .acting, let first = written.last {
                    authority = .grant(operation: first.operation.id, slot: 0)
                }
            }
            return written
        }
    }

    /// Ratifies the roster and the bans if an admin has left and this user is the next.
    mutating func ratifyIfNeeded(in conversation: ConversationID) throws(NodeError) {
        guard let replica = replicas[conversation],
            let bodies = replica.group.ratification(owedBy: me, pins: replica.pins(on:)),
            case .granted(let authority)? = replica.group.permission(for: { bodies($0)[0] }, by: me)
        else { return }
        try write(in: replica, under: authority, bodies)
        note(.ratified(conversation))
    }

    /// The best authority of this user for an operation.
    ///
    /// A later operation may rest on an earlier one, so only the first can be judged beforehand.
    func authority(
        for bodies: (MembershipBody.Authority) -> [MembershipBody], in replica: Replica
    ) throws(NodeError) -> MembershipBody.Authority {
        try authority(by: replica.group.permission(for: { bodies($0)[0] }, by: me), for: bodies(.acting)[0])
    }

    /// The authority that a permission names for an operation.
    func authority(
        by permission: Group.Permission?, for body: MembershipBody
    ) throws(NodeError) -> MembershipBody.Authority {
        switch permission {
        case .granted(let authority): return authority
        case .refused(let voidReason): throw error(for: voidReason.rule, of: body)
        case nil:
            throw NodeError(
                .insufficientPermissions, "You don't have permission to perform this action",
                hint: "Ask an admin of the group.")
        }
    }

    /// Writes operations that need no authority, or bring their own, without asking whether they take effect.
    package mutating func write(_ bodies: [MembershipBody], in conversation: ConversationID) throws(NodeError) {
        // A join shows the record of who joins.
        let isJoin = if case .join? = bodies.first { true } else { false }
        try write(in: conversation, introducing: isJoin) { log, author, time throws(MalformedBytes) in
            try log.write(membership: bodies.map(\.draft), by: author, at: time)
        }
    }

    private func error(for rule: Rule, of body: MembershipBody) -> NodeError {
        switch rule {
        case .outranked:
            NodeError(
                .outranked, "\(body.targets.first.map { contacts[$0].name } ?? "The inviter") ranks above you",
                hint: "Ask the founder or a more senior admin.")
        case .roleTooLow, .grantUnknown, .grantVoid, .settingVoid, .grantOfAnother, .notActingAdmin, .revoked,
            .grantsTooMuch:
            NodeError(
                .insufficientPermissions, "You don't have permission to perform this action",
                hint: "Ask an admin of the group.")
        case .neverAMember:
            NodeError(
                .notAParticipant, "You are not a participant in this conversation",
                hint: "Ask a moderator or an admin of the group to add you.")
        case .notTheRoot, .inviteUnknown, .inviteOfAnother, .codeDeclined, .inviteUsed, .inviteVoid, .inviteEnded,
            .inviterRevoked, .targetsSelf, .targetNotAMember, .targetIsActingAdmin, .demotesToNothingLess,
            .keepsAStranger, .keepsTooHigh, .pinUnknown, .deviceRevoked:
            NodeError(
                .invalidOperation, "This operation is not allowed: \(rule.sentence)",
                hint: "'moot info GROUP' shows who is in the group now, and who is invited.")
        }
    }

    func checkArchiving(_ replica: Replica, allowed: Bool) throws(NodeError) {
        guard replica.group.members.count == 2, !allowed else { return }
        throw Self.wouldArchive
    }

    static let wouldArchive = NodeError(
        .wouldArchive, "Cannot leave group - at least 2 participants must remain",
        hint: "This will archive the group (only 1 member remaining). Repeat with --archive to go on.")
}
