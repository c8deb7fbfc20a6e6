extension Evaluation {
    /// A grant that counts is live at the lowest of its role and the floors of the revocations that count and reach it.
    mutating func findRemainingRole(of grant: GrantNumber) -> RemainingRole {
        let maker = history.grants[grant].operation
        guard includes(maker), isEffective(maker) else { return .gone }
        let holder = history.grants[grant].holder
        var remaining = RemainingRole(history.grants[grant].rank.role)
        var passedOver = 0
        // The latest first: it most likely is the one that takes the grant away.
        for revocation in findings.openRevocations(of: holder, in: history).reversed()
        where revocation.floor < remaining {
            if findings.verdicts[revocation.operation] != false {
                guard history.reaches(revocation, grant) else { continue }
            }
            guard isEffective(revocation.operation) else {
                passedOver += 1
                continue
            }
            remaining = revocation.floor
            if remaining <= history.lowestFloorOf[holder] { break }
        }
        findings.leaveOutVoidRevocations(of: holder, passedOver: passedOver, in: history)
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
