extension Evaluation {
    /// Who acts as admin while nobody is admin or founder: the first in the line of succession.
    mutating func actingAdmin() -> Int? {
        if let known = acting { return known }
        let found = hasAdmin() ? nil : successor()
        acting = .some(found)
        return found
    }

    private mutating func hasAdmin() -> Bool {
        // Oldest first: usually the founder is still there.
        for grant in history.highGrants where level(of: grant) >= .admin { return true }
        return false
    }

    private mutating func successor() -> Int? {
        let departures = departures()
        let stepped = Set(
            departures.filter { history.records[$0].deed == .stepdown }.map { history.records[$0].author })
        var first: Claim?
        for person in history.people.indices {
            let grants = candidateGrants(of: person, departures)
            guard let claim = claim(of: person, grants, departures, hasSteppedDown: stepped.contains(person)) else {
                continue
            }
            if first.map({ claim < $0 }) ?? true { first = claim }
        }
        return first?.person
    }

    /// Grants that count and that nobody took away; a moderator's removal does not matter unless a departure had seen it.
    ///
    /// Otherwise a moderator could choose the successor by removing everybody before him, beside the departure.
    private mutating func candidateGrants(of person: Int, _ departures: Set<Int>) -> [Int] {
        var candidates: [Int] = []
        for grant in history.grantsOf[person] where includes(history.grants[grant].operation) {
            guard isEffective(history.grants[grant].operation) else { continue }
            let isCandidate = revocations(reaching: grant).allSatisfy { revocation in
                isModeratorsRemoval(revocation)
                    && !departures.contains { history.records[$0].past.contains(revocation) }
            }
            if isCandidate { candidates.append(grant) }
        }
        return candidates
    }

    private func isModeratorsRemoval(_ revocation: Int) -> Bool {
        let record = history.records[revocation]
        guard case .remove = record.deed, let authority = record.authority else { return false }
        return history.grants[authority].tier == .moderator
    }

    private func claim(
        of person: Int, _ grants: [Int], _ departures: Set<Int>, hasSteppedDown: Bool
    ) -> Claim? {
        let basic = grants.filter { history.grants[$0].tier == .member || history.grants[$0].tier == .founder }
        guard let oldest = (basic.isEmpty ? grants : basic).map({ seniority(of: $0) }).min() else { return nil }
        let isEarlier = grants.contains { grant in
            departures.contains { history.records[$0].past.contains(history.grants[grant].operation) }
        }
        return Claim(
            person: person, hasSteppedDown: hasSteppedDown, isUnseen: !isEarlier, lacksMembership: basic.isEmpty,
            seniority: oldest)
    }
}

/// A claim to the succession; less-than comes first.
private struct Claim: Comparable {
    let person: Int
    /// Who gave the office up does not get it back while somebody else is there.
    let hasSteppedDown: Bool
    /// Whether all his grants were made without being seen by any departure.
    let isUnseen: Bool
    /// Whether he has no grant of member or founder.
    let lacksMembership: Bool
    let seniority: Seniority

    static func < (left: Claim, right: Claim) -> Bool {
        if left.hasSteppedDown != right.hasSteppedDown { return right.hasSteppedDown }
        if left.isUnseen != right.isUnseen { return right.isUnseen }
        if left.lacksMembership != right.lacksMembership { return right.lacksMembership }
        return left.seniority < right.seniority
    }
}
