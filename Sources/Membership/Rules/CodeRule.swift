extension History {
    /// Whether the end of an invite, or another join by its code, voids a join if it counts.
    ///
    /// Of the joins by one code those are void that a join by somebody else outranks. Two who use it concurrently have no earlier and later.
    /// Both grants have the invite's depth, so the tie keys order them: the same on every replica, and known before the conversation to
    /// nobody. A join that had seen one of somebody else is void by `AnswerRule.swift`, so a rank that is greater by chance does not turn anybody
    /// out who was there first.
    func mayVoid(_ other: Int, join: Int) -> Bool {
        guard records[join].isJoin, let invite = records[join].invite, records[other].invite == invite else {
            return false
        }
        guard records[other].isJoin else { return ends(other, joinedBy: join) }
        return records[invite].action == .invite(nil) && records[other].author != records[join].author
            && rank(ofJoin: join) < rank(ofJoin: other)
    }

    /// The joins that the end of an invite, or another join by its code, voids if it counts.
    ///
    /// What declines is left out: it threatens only what had seen it, so nothing that was there before it.
    ///
    /// - Parameters:
    ///   - rivals: of a join by a code, the joins by that code that are looked at.
    ///   - isWanted: what the caller asks of them, which is looked at first: of many joins by one code hardly any counts.
    func forEachJoin(
        threatenedBy other: Int, among rivals: [Int], where isWanted: (Int) -> Bool, _ body: (Int) -> Void
    ) {
        guard records[other].isJoin || records[other].action == .cancel, let invite = records[other].invite else {
            return
        }
        let joins = records[other].isJoin ? rivals : joins[invite] ?? []
        for join in joins where isWanted(join) && mayVoid(other, join: join) { body(join) }
    }

    /// The first of some joins, the weightiest first, that voids another one by the same code.
    func winner(over join: Int, among rivals: [Int], where isWanted: (Int) -> Bool) -> Int? {
        rivals.first { isWanted($0) && mayVoid($0, join: join) }
    }

    /// The invite whose code an operation joins by, unless it is void by its own past; nil if it is no such join.
    func invite(joinedByCodeIn operation: Int) -> Int? {
        let record = records[operation]
        guard record.isJoin, record.objection == nil, let invite = record.invite, records[invite].action == .invite(nil)
        else { return nil }
        return invite
    }

    /// Where a join belongs among others by the same code, the weightiest first.
    func place(ofJoin join: Int, among others: [Int]) -> Int {
        let rank = rank(ofJoin: join)
        return others.firstPlace { self.rank(ofJoin: $0) < rank }
    }

    func rank(ofJoin join: Int) -> Rank {
        guard let grant = records[join].grants.first else { preconditionFailure("a join makes a grant") }
        return rank(of: grant)
    }
}
