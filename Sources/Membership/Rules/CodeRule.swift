extension Evaluation {
    /// The joins that use up an invite by code before another one: those by other people that outrank it.
    ///
    /// Two who use one code beside each other have no earlier and later. Both grants have the invite's depth, so the tie keys order them:
    /// the same on every replica, and known before the conversation to nobody. Who had seen a join of somebody else is void by
    /// `AnswerRule.swift`, so a rank that is greater by chance does not turn anybody out who was there first.
    func rivals(threatening operation: Int) -> [Int] {
        history.rivals(of: operation) { $0 < $1 }.filter { includes($0) }
    }
}

extension History {
    /// The joins that a join voids by using up their invite, if it counts.
    func rivals(threatenedBy operation: Int) -> [Int] { rivals(of: operation) { $1 < $0 } }

    /// The joins of other people by the same code whose ranks compare with its own as asked for.
    fileprivate func rivals(of operation: Int, where compare: (Rank, Rank) -> Bool) -> [Int] {
        let record = records[operation]
        guard record.deed == .join, record.objection == nil, let rank = record.rank, let invite = record.invite,
            records[invite].deed == .invite(nil)
        else { return [] }
        return (joins[invite] ?? []).filter { other in
            guard records[other].author != record.author, let stratum = records[other].stratum else { return false }
            return compare(rank, stratum)
        }
    }
}
