import Membership
import OperationLog

/// What a removal that takes back what a person did has in its past, and what of that it cannot take back.
public struct TakingBack: Hashable, Sendable {
    /// What the removal follows, besides its author's own last operation.
    public let heads: [OperationID]
    /// How much of what the person did since counts on, because the author has decided on top of it.
    public let kept: Int
}

extension Group {
    /// The heads on which a removal takes back what a person did late.
    ///
    /// A removal voids what its target did that is not in its past, under grants that it outranks. So its past is all
    /// that is here but for what the person did late, and what follows that. What others did on top of it is left out
    /// as well, which takes nothing from them: a removal voids acts under grants of its target alone, and what rests on
    /// these. What its author had seen when they last wrote stays in the past, because an operation follows the one
    /// before it on its chain. So does the join with which the person first came, since without it there is nobody to
    /// remove.
    ///
    /// - Parameters:
    ///   - user: whose acts are taken back.
    ///   - isLate: which of their operations are.
    ///   - tip: the last operation of the author's chain in the lane; nil if there is none.
    /// - Complexity: O(*n*) in the lane.
    public func takingBack(
        actsOf user: UserID, where isLate: (OperationID) -> Bool, after tip: OperationID?
    ) -> TakingBack {
        let entrance = history.first { $0.peopleGranted.contains(user) }?.operation.id
        let seen = [tip, entrance].compactMap(\.self)
        var leftOut: Set<OperationID> = []
        var heads: Set<OperationID> = []
        var kept = 0
        for entry in history {
            let (id, parents) = (entry.operation.id, entry.operation.header.parents)
            let isTheirs = entry.operation.author.user == user && isLate(id)
            let isSeen = seen.contains { $0 == id || resolver.isKnown(id, to: $0) }
            if !isSeen, isTheirs || parents.contains(where: leftOut.contains) {
                leftOut.insert(id)
                continue
            }
            if isTheirs, entry.voidReason == nil, entry.body?.action.authority != nil { kept += 1 }
            heads.subtract(parents)
            heads.insert(id)
        }
        return TakingBack(heads: heads.sorted(), kept: kept)
    }
}
