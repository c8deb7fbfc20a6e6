extension Evaluation {
    /// A removal is of a member, not oneself nor the acting admin, all of whose live grants the author's grant
    /// dominates.
    mutating func removalObjection(to record: IndexedOperation, of target: PersonNumber) -> VoidReason<OperationNumber>?
    {
        revocationObjection(to: record, from: target) ?? strangerObjection(to: target)
    }

    /// What is asked of a removal, a demotion and a ban alike.
    mutating func revocationObjection(to record: IndexedOperation, from target: PersonNumber) -> VoidReason<
        OperationNumber
    >? {
        guard target != record.author else { return VoidReason(.targetsSelf) }
        guard actingAdmin() != target else { return VoidReason(.targetIsActingAdmin) }
        guard let authority = record.authority else { return VoidReason(.grantUnknown) }
        return weightiestLiveGrant(of: target, notDominatedBy: authority)
            .map { VoidReason(.outranked, by: history.grants[$0].operation) }
    }

    /// Ranks never change, so a demoted grant keeps its full rank.
    private mutating func weightiestLiveGrant(
        of target: PersonNumber, notDominatedBy authority: GrantNumber
    ) -> GrantNumber? {
        let rank = history.rank(of: authority)
        // Whoever dominates a person's weightiest grant dominates all of theirs: usually nothing else need be looked
        // at.
        guard let limit = history.weightiestOf[target], !rank.dominates(history.rank(of: limit)) else { return nil }
        var weightiest: GrantNumber?
        for grant in liveGrants(of: target) {
            guard !rank.dominates(history.rank(of: grant)), remainingRole(of: grant) > .gone else { continue }
            if weightiest.map({ history.isWeightier(grant, than: $0) }) ?? true { weightiest = grant }
        }
        return weightiest
    }

    /// What is asked of whoever is removed, demoted or promoted: that they are a member.
    mutating func strangerObjection(to target: PersonNumber) -> VoidReason<OperationNumber>? {
        hasLiveGrant(target) ? nil : VoidReason(.targetNotAMember, by: endOfMembership(of: target))
    }

    /// Why somebody is no member: what took away the newest grant that they were given, or made it without effect; nil
    /// if they were given none.
    private mutating func endOfMembership(of person: PersonNumber) -> OperationNumber? {
        var newest: GrantNumber?
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
