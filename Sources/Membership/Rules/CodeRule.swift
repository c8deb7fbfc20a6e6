extension History {
    /// Whether the end of an invite, or another join by its code, voids a join if it counts.
    ///
    /// If two people use a code concurrently, neither join is earlier. Both grants have the depth of the invite, so
    /// their tie-breakers decide: the same on every replica, and unknown to everybody before the conversation exists. A
    /// join that had seen one of somebody else is void by `AnswerRule.swift`, so a rank that is greater by chance does
    /// not turn anybody out who was there first.
    func mayVoid(_ other: OperationNumber, join: OperationNumber) -> Bool {
        guard records[join].isJoin, let invite = records[join].invite, records[other].invite == invite else {
            return false
        }
        guard records[other].isJoin else { return ends(other, joinedBy: join) }
        return records[invite].action == .invite(nil) && records[other].author != records[join].author
            && rank(ofJoin: join) < rank(ofJoin: other)
    }

    /// The joins that the end of an invite, or another join by its code, voids if it counts.
    ///
    /// - Parameters:
    ///   - rivals: of a join by a code, the joins by that code that are looked at.
    ///   - isWanted: what the caller asks of them, which is looked at first: of many joins by one code hardly any
    ///     counts.
    func forEachJoin(
        threatenedBy other: OperationNumber, among rivals: [OperationNumber], where isWanted: (OperationNumber) -> Bool,
        _ body: (OperationNumber) -> Void
    ) {
        guard records[other].isJoin || records[other].action.rules.endsInvite, let invite = records[other].invite else {
            return
        }
        let joins = records[other].isJoin ? rivals : joins[invite] ?? []
        for join in joins where isWanted(join) && mayVoid(other, join: join) { body(join) }
    }

    /// The first of some joins, the weightiest first, that voids another one by the same code.
    func winner(
        over join: OperationNumber, among rivals: [OperationNumber], where isWanted: (OperationNumber) -> Bool
    ) -> OperationNumber? {
        rivals.first { isWanted($0) && mayVoid($0, join: join) }
    }

    /// The invite whose code an operation joins by, unless it is void by its own past; nil if it is no such join.
    func invite(joinedByCodeIn operation: OperationNumber) -> OperationNumber? {
        let record = records[operation]
        guard record.isJoin, record.voidReason == nil, let invite = record.invite,
            records[invite].action == .invite(nil)
        else { return nil }
        return invite
    }

    /// Where a join belongs among others by the same code, the weightiest first.
    func index(ofJoin join: OperationNumber, among others: [OperationNumber]) -> Int {
        let rank = rank(ofJoin: join)
        return others.partitioningIndex { self.rank(ofJoin: $0) < rank }
    }

    func rank(ofJoin join: OperationNumber) -> Rank {
        guard let grant = records[join].grants.first else { preconditionFailure("a join makes a grant") }
        return rank(of: grant)
    }
}
