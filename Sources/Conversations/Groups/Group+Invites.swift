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
        /// Who invited them.
        public let inviter: UserID
    }

    /// The invites that can be accepted now, in the order of the lane: whose acceptance would make their target a
    /// member. One ends with its answer, when it is taken back, and with the authority of the person who made it; an
    /// old one does not outlive a removal.
    ///
    /// - Parameter limit: how many are looked for.
    /// - Complexity: O(*n*) in the lane, and once more for each invite of somebody who is no member.
    public func openInvites(first limit: Int = .max) -> [Invite] { openInvites(first: limit) { _ in true } }

    /// The invites of one person that they can accept now, in the order of the lane.
    ///
    /// - Complexity: O(1) for a member. Else as ``openInvites(first:)``, but only theirs: that others are invited costs
    ///   no more than any operation.
    public func openInvites(of user: UserID) -> [Invite] { isMember(user) ? [] : openInvites { $0 == user } }

    private func openInvites(first limit: Int = .max, where isWanted: (UserID) -> Bool) -> [Invite] {
        var invites: [Invite] = []
        forEachOpenInvite(where: { invites.count < limit && isWanted($0) }, { invites.append($0) })
        return invites
    }

    /// Looks for invites that can be accepted now, in the order of the lane, as long as those of their target are
    /// wanted.
    func forEachOpenInvite(where isWanted: (UserID) -> Bool, _ body: (Invite) -> Void) {
        // By number: a copy of every entry would cost more than looking at it.
        for number in history.indices {
            guard case .invite(_, .person(let target)) = history[number].body, history[number].voidReason == nil,
                isWanted(target.user), !isMember(target.user),
                welcomes(target.user, by: history[number].operation.id)
            else { continue }
            let invite = history[number].operation
            body(Invite(id: invite.id, target: target.user, inviter: invite.author.user))
        }
    }

    /// Whether a person would be a member if they accepted an invite now.
    ///
    /// - Complexity: O(*n*) in the lane.
    public func welcomes(_ user: UserID, by invite: OperationID) -> Bool {
        var trial = resolver
        let acceptance = MembershipOperation(
            id: OperationID(digest: .hash("moot/1/trial", invite.digest.bytes)), author: user,
            parents: resolver.heads, action: Action<OperationID, UserID, DeviceID>.join(invite))
        return trial.insert(acceptance) == .inserted && trial.state.role(of: user) != nil
    }
}
