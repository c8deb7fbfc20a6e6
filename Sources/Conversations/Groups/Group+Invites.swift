import Cryptography
import Membership
import OperationLog

extension Group {
    /// An offer of membership that nobody has answered or taken back.
    public struct Invite: Hashable, Sendable {
        /// The operation that made it.
        public let id: OperationID
        /// Who is invited.
        public let target: UserID
        /// Who invited him.
        public let inviter: UserID
    }

    /// The invites that can be accepted now, in the order of the lane. One ends with its answer, when it is taken back, and with the
    /// authority of who made it.
    ///
    /// - Complexity: O(*n*) in the lane, and once more for each invite.
    public var openInvites: [Invite] {
        history.compactMap { entry in
            guard case .invite(_, let target) = entry.body, entry.objection == nil, !isMember(target.user) else {
                return nil
            }
            let unused = OperationID(digest: .hash("moot/1/trial", entry.operation.id.digest.bytes))
            guard resolver.objection(to: .join(entry.operation.id), by: target.user, as: unused) == nil,
                !isAnswered(entry.operation.id)
            else { return nil }
            return Invite(id: entry.operation.id, target: target.user, inviter: entry.operation.author.user)
        }
    }

    /// Whether an invite was accepted once: who accepted it and left cannot come back by it.
    private func isAnswered(_ invite: OperationID) -> Bool {
        history.contains { entry in
            guard case .join(invite, _) = entry.body else { return false }
            return entry.objection == nil
        }
    }
}
