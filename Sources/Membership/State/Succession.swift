extension Evaluation {
    /// Who acts as admin while nobody is admin or founder: the first in the line of succession.
    mutating func actingAdmin() -> PersonNumber? {
        if let known = findings.acting { return known }
        let found = hasAdmin() ? nil : successor()
        findings.acting = .some(found)
        return found
    }

    private mutating func hasAdmin() -> Bool {
        var candidates = adminGrantCandidates
        // The newest first, so that those that are gone are dropped at once.
        while let newest = candidates.last, remainingRole(of: newest) < .admin { candidates.removeLast() }
        findings.remainingRoles.keep(offices: candidates)
        return !candidates.isEmpty
    }

    /// The grants of which enough may be left to make somebody admin or founder, ascending.
    private var adminGrantCandidates: [GrantNumber] {
        findings.remainingRoles.offices ?? history.adminGrants.filter { includes(history.grants[$0].operation) }
    }

    /// The grant by which somebody is in office: the weightiest one of an admin or founder, else the oldest one of the
    /// acting admin.
    mutating func grantInOffice() -> GrantNumber? {
        if let acting = actingAdmin() { return oldestGrant(of: acting) }
        var weightiest: GrantNumber?
        let offices = adminGrantCandidates.filter { remainingRole(of: $0) >= .admin }
        findings.remainingRoles.keep(offices: offices)
        for grant in offices {
            if weightiest.map({ history.isWeightier(grant, than: $0) }) ?? true { weightiest = grant }
        }
        return weightiest
    }

    private mutating func successor() -> PersonNumber? {
        let departures = departures()
        let stepped = Set(
            departures.filter { history.records[$0].action == .stepdown }.map { history.records[$0].author })
        let seen = pasts(of: departures)
        let confirmations = confirmations()
        var first: SuccessionCandidate?
        for grant in history.grants.indices where includes(history.grants[grant].operation) {
            let (holder, role) = (history.grants[grant].holder, history.grants[grant].role)
            let claim = SuccessionCandidate(
                person: holder, hasSteppedDown: stepped.contains(holder),
                isUnseen: !seen.contains(history.grants[grant].operation),
                lacksMembership: role != .member && role != .founder,
                seniority: seniority(of: grant, confirmations))
            // A candidate who would not come first need not be looked at closely.
            if let first, !(claim < first) { continue }
            if isCandidate(grant, seen) { first = claim }
        }
        return first?.person ?? oldestHolder(confirmations)
    }

    /// Everything in the past of some departure.
    private func pasts(of departures: Set<OperationNumber>) -> OperationSet {
        var pasts = OperationSet()
        // What is in the past of a later one has its own past there, too.
        for departure in departures.sorted(by: >) where !pasts.contains(departure) {
            pasts.formUnion(history.records[departure].past)
        }
        return pasts
    }

    /// Whether a grant counts and nobody took it away; a moderator's removal does not matter unless a departure had
    /// seen it.
    ///
    /// Otherwise a moderator could choose the successor by removing everybody before them, concurrently with the
    /// departure.
    private mutating func isCandidate(_ grant: GrantNumber, _ seen: OperationSet) -> Bool {
        guard isEffective(history.grants[grant].operation) else { return false }
        for revocation in history.revocationsOf[history.grants[grant].holder].reversed() {
            guard includes(revocation.operation), history.reaches(revocation, grant) else { continue }
            if isModeratorsRemoval(revocation.operation), !seen.contains(revocation.operation) { continue }
            if isEffective(revocation.operation) { return false }
        }
        return true
    }

    private func isModeratorsRemoval(_ revocation: OperationNumber) -> Bool {
        let record = history.records[revocation]
        guard case .remove = record.action, let authority = record.authority else { return false }
        return history.grants[authority].role == .moderator
    }

    /// The last resort where nobody is a candidate, so that no group with members is orphaned: who holds the oldest
    /// grant of which a demotion or stepdown left something.
    private mutating func oldestHolder(_ confirmations: Confirmations) -> PersonNumber? {
        var oldest: (holder: PersonNumber, seniority: ConfirmedSeniority)?
        for grant in history.grants.indices where includes(history.grants[grant].operation) {
            let seniority = seniority(of: grant, confirmations)
            if let oldest, !(seniority < oldest.seniority) { continue }
            if remainingRole(of: grant) > .gone { oldest = (history.grants[grant].holder, seniority) }
        }
        return oldest?.holder
    }
}

/// A claim to the succession by one grant; less-than comes first.
///
/// All criteria are taken from the same grant. Otherwise a departing admin could choose the successor afterwards, by
/// adding a person once more on old heads: one grant would supply the age, another the fact that a departure had seen
/// it.
private struct SuccessionCandidate: Comparable {
    let person: PersonNumber
    /// Who gave the office up does not get it back while somebody else is there.
    let hasSteppedDown: Bool
    /// Whether the grant was made without being seen by any departure.
    let isUnseen: Bool
    /// Whether the grant is neither of role member nor founder.
    let lacksMembership: Bool
    let seniority: ConfirmedSeniority

    static func < (left: SuccessionCandidate, right: SuccessionCandidate) -> Bool {
        if left.hasSteppedDown != right.hasSteppedDown { return right.hasSteppedDown }
        if left.isUnseen != right.isUnseen { return right.isUnseen }
        if left.lacksMembership != right.lacksMembership { return right.lacksMembership }
        return left.seniority < right.seniority
    }
}
