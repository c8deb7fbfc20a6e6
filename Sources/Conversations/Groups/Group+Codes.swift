import Cryptography
import Membership
import OperationLog

extension Group {
    /// An invite to whoever first proves to hold a one-time key.
    public struct Code: Hashable, Sendable {
        /// What became of an invite by code.
        public enum State: Hashable, Sendable {
            /// Who holds the code can join.
            case open
            /// Somebody has joined by it.
            case used(by: UserID)
            /// It was taken back before anybody joined.
            case cancelled
            /// It does not count, because its inviter may not invite, or not any more.
            case void
        }

        /// The operation that made it.
        public let id: OperationID
        /// Who invites.
        public let inviter: UserID
        /// The public half of the one-time key.
        public let key: VerifyingKey
        /// When the inviter takes it back. No replica judges by it: clocks differ.
        public let end: Timestamp
        /// What became of it.
        public let state: State
        /// Whether an effective operation has taken it back, used or not.
        public let isTakenBack: Bool
    }

    /// The invites by code, in the order of the lane.
    ///
    /// - Complexity: O(*n*) in the lane for each.
    public var codes: [Code] { history.compactMap(code) }

    /// The invites by code that somebody could join by now, in the order of the lane.
    public var openCodes: [Code] { codes.filter { $0.state == .open } }

    /// An invite by code; nil for what is none.
    ///
    /// - Complexity: O(*n*) in the lane.
    public func code(_ invite: OperationID) -> Code? { entry(invite).flatMap(code) }

    /// The key whose holder an invite by code is for; nil for what is none.
    public func key(ofCode invite: OperationID) -> VerifyingKey? {
        guard case .invite(_, .holder(let key, _))? = entry(invite)?.body else { return nil }
        return key
    }

    private func code(_ entry: Entry) -> Code? {
        guard case .invite(_, .holder(let key, let end)) = entry.body else { return nil }
        let id = entry.operation.id
        let isTakenBack = history.contains { other in
            guard case .cancel(_, id) = other.body else { return false }
            return other.objection == nil
        }
        return Code(
            id: id, inviter: entry.operation.author.user, key: key, end: end,
            state: state(ofCode: entry, isTakenBack: isTakenBack), isTakenBack: isTakenBack)
    }

    private func state(ofCode invite: Entry, isTakenBack: Bool) -> Code.State {
        let join = history.first { other in
            guard case .join(invite.operation.id, _, _) = other.body else { return false }
            return other.objection == nil
        }
        if let join { return .used(by: join.operation.author.user) }
        if isTakenBack { return .cancelled }
        // Anybody who never was in the group.
        let somebody = UserID(digest: .hash("moot/1/trial", invite.operation.id.digest.bytes))
        return welcomes(somebody, by: invite.operation.id) ? .open : .void
    }
}
