import Cryptography
import Membership
import OperationLog
import Time

extension Group {
    /// An invite to whoever first proves to hold a one-time key.
    public struct Code: Hashable, Sendable {
        /// What became of an invite by code.
        public enum State: Hashable, Sendable {
            /// Anybody who holds the code can join.
            case open
            /// Somebody has joined by it.
            case used(by: UserID)
            /// It was taken back before anybody joined.
            case canceled
            /// It does not count now: its inviter may not invite, or not any more, or the group is full.
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
    /// - Complexity: O(*n*) in the lane, and once more for each that nobody has used or taken back and that is not
    ///   void.
    public var codes: [Code] { codes { _ in true } }

    /// The invites by code that one person made, in the order of the lane.
    ///
    /// - Complexity: as ``codes``, but only their count: what others write costs no more than any operation.
    public func codes(of inviter: UserID) -> [Code] { codes { $0.operation.author.user == inviter } }

    /// The invites by code that somebody could join by now, in the order of the lane.
    public var openCodes: [Code] { codes.filter { $0.state == .open } }

    /// An invite by code; nil for what is none.
    ///
    /// - Complexity: O(*n*) in the lane.
    public func code(_ invite: OperationID) -> Code? { entry(invite).flatMap { code($0, answers) } }

    /// The key whose holder an effective invite by code is for; nil for what is none.
    ///
    /// - Complexity: O(1).
    public func key(ofCode invite: OperationID) -> VerifyingKey? {
        guard let entry = entry(invite), entry.voidReason == nil, case .invite(_, .holder(let key, _)) = entry.body
        else { return nil }
        return key
    }

    /// What effective operations have done about invites.
    private struct Answers {
        /// Who joined first by each.
        var joined: [OperationID: UserID] = [:]
        var takenBack: Set<OperationID> = []
    }

    private var answers: Answers {
        var answers = Answers()
        // By number: a copy of every entry would cost more than looking at it.
        for number in history.indices where history[number].voidReason == nil {
            if case .join(let invite, _, _) = history[number].body, answers.joined[invite] == nil {
                answers.joined[invite] = history[number].operation.author.user
            } else if case .cancel(_, let invite) = history[number].body {
                answers.takenBack.insert(invite)
            }
        }
        return answers
    }

    private func codes(where isWanted: (Entry) -> Bool) -> [Code] {
        let answers = answers
        return history.indices.compactMap { number in
            guard case .invite(_, .holder) = history[number].body, isWanted(history[number]) else { return nil }
            return code(history[number], answers)
        }
    }

    private func code(_ entry: Entry, _ answers: Answers) -> Code? {
        guard case .invite(_, .holder(let key, let end)) = entry.body else { return nil }
        return Code(
            id: entry.operation.id, inviter: entry.operation.author.user, key: key, end: end,
            state: state(ofCode: entry, answers), isTakenBack: answers.takenBack.contains(entry.operation.id))
    }

    private func state(ofCode invite: Entry, _ answers: Answers) -> Code.State {
        let id = invite.operation.id
        if let user = answers.joined[id] { return .used(by: user) }
        if answers.takenBack.contains(id) { return .canceled }
        // To try it costs the whole lane, and anybody who ever was a member can write void ones.
        guard invite.voidReason == nil else { return .void }
        // Anybody who never was in the group.
        let somebody = UserID(digest: .hash("moot/1/trial", id.digest.bytes))
        return welcomes(somebody, by: id) ? .open : .void
    }
}
