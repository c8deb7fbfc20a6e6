extension Evaluation {
    /// A removal is of a member, not oneself nor the acting admin, all of whose live grants the author's grant dominates.
    mutating func removalObjection(to record: Record, of target: Int) -> Objection<Int>? {
        revocationObjection(to: record, from: target)
            ?? (liveGrants(of: target).isEmpty ? Objection(.targetNotAMember) : nil)
    }

    /// What is asked of a removal, a demotion and a ban alike.
    mutating func revocationObjection(to record: Record, from target: Int) -> Objection<Int>? {
        guard target != record.author else { return Objection(.targetsHimself) }
        guard actingAdmin() != target else { return Objection(.targetIsActingAdmin) }
        guard let authority = record.authority else { return Objection(.grantUnknown) }
        // Ranks never change: what a demotion left of a grant still weighs what the whole weighed.
        let rank = history.rank(of: authority)
        let higher = liveGrants(of: target).filter { !rank.dominates(history.rank(of: $0)) }
        return higher.min { history.isWeightier($0, than: $1) }
            .map { Objection(.outranked, by: history.grants[$0].operation) }
    }
}
