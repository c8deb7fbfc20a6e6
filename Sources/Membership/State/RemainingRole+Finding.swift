extension Evaluation {
    /// A grant that counts is live at the lowest of its role and the floors of the revocations that count and reach it.
    mutating func findRemainingRole(of grant: GrantNumber) -> RemainingRole {
        let maker = history.grants[grant].operation
        guard includes(maker), isEffective(maker) else { return .gone }
        var remaining = RemainingRole(history.grants[grant].rank.role)
        // The latest first: it most likely is the one that takes the grant away.
        for revocation in history.revocationsOf[history.grants[grant].holder].reversed()
        where revocation.floor < remaining {
            guard includes(revocation.operation), history.reaches(revocation, grant), isEffective(revocation.operation)
            else { continue }
            remaining = revocation.floor
            if remaining <= history.lowestFloorOf[history.grants[grant].holder] { break }
        }
        return remaining
    }

    /// The revocations that count and reach a grant.
    mutating func revocations(reaching grant: GrantNumber) -> [Revocation] {
        var reaching: [Revocation] = []
        for revocation in history.revocationsOf[history.grants[grant].holder] where includes(revocation.operation) {
            if history.reaches(revocation, grant), isEffective(revocation.operation) { reaching.append(revocation) }
        }
        return reaching
    }
}
