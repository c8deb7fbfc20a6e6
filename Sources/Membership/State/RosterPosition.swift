/// A person's standing: their role, and the grant that says since when.
struct RosterPosition: Hashable, Sendable {
    /// The highest role at which a grant of theirs is live.
    var role: Role
    /// Their most senior grant that is live at member or founder, else their most senior live one.
    ///
    /// A promotion never raises seniority, and a demotion never lowers it.
    var grant: GrantNumber
}

extension Evaluation {
    /// The standing of somebody with one more live grant.
    mutating func standing(_ standing: RosterPosition?, with grant: GrantNumber) -> RosterPosition? {
        guard let role = remainingRole(of: grant).role else { return standing }
        guard var standing else { return RosterPosition(role: role, grant: grant) }
        standing.role = max(standing.role, role)
        let isBasic = isBasic(grant)
        if isBasic != self.isBasic(standing.grant) {
            if isBasic { standing.grant = grant }
        } else {
            standing.grant = moreSenior(standing.grant, grant)
        }
        return standing
    }

    /// Whether a grant is live at member or founder.
    mutating func isBasic(_ grant: GrantNumber) -> Bool {
        let remaining = remainingRole(of: grant)
        return remaining == .member || remaining == .founder
    }

    /// The more senior of two grants of one person.
    ///
    /// Of two that were made concurrently at the same slot it is the same one on every replica.
    func moreSenior(_ one: GrantNumber?, _ other: GrantNumber) -> GrantNumber {
        guard let one else { return other }
        let (seniority, otherSeniority) = (seniority(of: one), seniority(of: other))
        if seniority != otherSeniority { return seniority < otherSeniority ? one : other }
        return history.isEarlier(history.grants[one].operation, than: history.grants[other].operation) ? one : other
    }

    /// The oldest grant that counts, live or not: the acting admin may hold no live one, because a moderator removed
    /// them concurrently with the departure.
    mutating func oldestGrant(of person: PersonNumber) -> GrantNumber? {
        var oldest: GrantNumber?
        for grant in history.grantsOf[person] where includes(history.grants[grant].operation) {
            if isEffective(history.grants[grant].operation) { oldest = moreSenior(oldest, grant) }
        }
        return oldest
    }

    func seniority(of grant: GrantNumber) -> Seniority { history.grants[grant].rank.seniority }
}
