extension History {
    /// Whether a revocation reaches a grant of its target: it leaves less of it, it outranks it, and it was not known
    /// when the grant was made.
    ///
    /// Nothing else is asked, so a grant made concurrently with the revocation is reached as well as one made before. A
    /// join counts as made by its invite, so that an old invite does not outlive a removal.
    func reaches(_ revocation: Revocation, _ grant: GrantNumber) -> Bool {
        let maker = grants[grant].operation
        guard revocation.operation != maker, RemainingRole(grants[grant].rank.role) > revocation.floor,
            !records[grants[grant].origin].past.contains(revocation.operation)
        else { return false }
        if revocation.isOwn { return true }
        guard let authority = records[revocation.operation].authority else { return false }
        return grants[authority].rank.dominates(grants[grant].rank)
    }
}
