extension History {
    /// Whether a revocation reaches a grant of its target. It does not reach what it had seen being granted afterwards: there is no such
    /// thing, so a grant is out of reach when the revocation lies in its past.
    ///
    /// A grant made beside the revocation is reached. A join counts as made by its invite, so that an old invite does not outlive a removal.
    func reaches(_ revocation: Revocation, _ grant: Int) -> Bool {
        let granted = grants[grant]
        let maker = records[granted.operation]
        let origin = maker.deed == .join ? maker.invite.map { records[$0] } ?? maker : maker
        guard granted.operation != revocation.operation, !origin.past.contains(revocation.operation),
            Level(granted.tier) > revocation.floor
        else { return false }
        let revoking = records[revocation.operation]
        if revoking.deed.isSelfOperation { return true }
        return revoking.authority.map { grants[$0].rank.dominates(granted.rank) } ?? false
    }
}
