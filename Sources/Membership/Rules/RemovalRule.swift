extension Evaluation {
    /// A removal is of a member, not oneself nor the acting admin, all of whose live grants the author's grant dominates.
    mutating func removalObjection(to record: Record, of target: Int) -> Objection<Int>? {
        revocationObjection(to: record, from: target) ?? strangerObjection(to: target)
    }

    /// What is asked of a removal, a demotion and a ban alike.
    mutating func revocationObjection(to record: Record, from target: Int) -> Objection<Int>? {
        guard target != record.author else { return Objection(.targetsSelf) }
        guard actingAdmin() != target else { return Objection(.targetIsActingAdmin) }
        guard let authority = record.authority else { return Objection(.grantUnknown) }
        return weightiestLiveGrant(of: target, notDominatedBy: authority)
            .map { Objection(.outranked, by: history.grants[$0].operation) }
    }

    /// Ranks never change: what a demotion left of a grant still weighs what the whole weighed.
    private mutating func weightiestLiveGrant(of target: Int, notDominatedBy authority: Int) -> Int? {
        let rank = history.rank(of: authority)
        // Whoever dominates a person's weightiest grant dominates all of theirs: usually nothing else need be looked at.
        guard let limit = history.weightiestOf[target], !rank.dominates(history.rank(of: limit)) else { return nil }
        var weightiest: Int?
        for grant in liveGrants(of: target) {
            guard !rank.dominates(history.rank(of: grant)), remainingRole(of: grant) > .gone else { continue }
            if weightiest.map({ history.isWeightier(grant, than: $0) }) ?? true { weightiest = grant }
        }
        return weightiest
    }

    /// What is asked of whoever is removed, demoted or promoted: that they are a member.
    mutating func strangerObjection(to target: Int) -> Objection<Int>? {
        hasLiveGrant(target) ? nil : Objection(.targetNotAMember, by: endOfMembership(of: target))
    }

    /// Why somebody is no member: what took away the newest grant that they were given, or made it without effect; nil if they were given none.
    private mutating func endOfMembership(of person: Int) -> Int? {
        var newest: Int?
        for grant in history.grantsOf[person] where includes(history.grants[grant].operation) {
            let maker = history.grants[grant].operation
            if newest.map({ history.isEarlier(history.grants[$0].operation, than: maker) }) ?? true { newest = grant }
        }
        guard let newest else { return nil }
        let maker = history.grants[newest].operation
        guard isEffective(maker) else { return maker }
        return revocations(reaching: newest).filter { $0.floor == .gone }.map(\.operation)
            .min { history.isEarlier($0, than: $1) }
    }
}
