import Cryptography
import OperationLog

extension Group {
    /// The join by code that made a person a member, if no operation of anybody else follows it: perhaps nobody else
    /// holds it.
    ///
    /// Whoever holds a join names it, or what follows it, in the next operation they write. The inviter does so at
    /// once: they take the invite back.
    ///
    /// - Complexity: O(*n*) in the lane.
    public func unreplicatedJoin(of user: UserID) -> (invite: OperationID, proof: InviteProof)? {
        guard isMember(user) else { return nil }
        var join: (invite: OperationID, proof: InviteProof)?
        var above: Set<OperationID> = []
        // By number: a copy of every entry would cost more than looking at it.
        for number in history.indices {
            let operation = history[number].operation
            if operation.author.user == user, history[number].voidReason == nil,
                case .join(let invite, _, let proof?) = history[number].body
            {
                join = (invite, proof)
                above = [operation.id]
            } else if !above.isEmpty, operation.header.parents.contains(where: above.contains) {
                guard operation.author.user == user else { return nil }
                above.insert(operation.id)
            }
        }
        return join
    }
}
