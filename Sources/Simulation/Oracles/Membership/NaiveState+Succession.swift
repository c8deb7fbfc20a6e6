extension NaiveState {
    /// The first in the line of succession, if nobody is admin or founder.
    func findActingAdmin() -> Person? {
        let hasAdmin = history.grants.contains { grant in
            grant.role >= .admin && members.contains(grant.maker) && isEffective(grant.maker)
                && (liveRole(of: grant) ?? .member) >= .admin
        }
        if hasAdmin { return nil }
        let departures = departures
        let steppedDown = Set(
            departures.filter { history.operations[$0].action == .stepdown }.map { history.operations[$0].author })
        // Everything is asked of one grant.
        let line = candidateGrants(departures: departures).map { grant in
            let place = SuccessionPosition(
                steppedDown: steppedDown.contains(grant.holder),
                isEarly: departures.contains { history.pasts[$0].contains(grant.maker) },
                isBasic: grant.role == .member || grant.role == .founder, age: confirmedAge(of: grant))
            return (person: grant.holder, place: place)
        }
        if let first = line.min(by: { $0.place < $1.place }) { return first.person }
        // The last resort: whoever has something left.
        return effectiveGrants.filter { liveRole(of: $0) != nil }.min { confirmedAge(of: $0) < confirmedAge(of: $1) }?
            .holder
    }

    /// The effective revocations by which an admin or founder went.
    private var departures: Set<Int> {
        var found: Set<Int> = []
        for grant in effectiveGrants where grant.role >= .admin {
            let reaching = effectiveRevocations(of: grant).map(\.number)
            for revocation in reaching {
                if history.operations[revocation].action.isSelfOperation {
                    let before = history.stateBefore(revocation)
                    guard before.members.contains(grant.maker), before.isEffective(grant.maker),
                        before.liveRole(of: grant) == grant.role,
                        reaching.allSatisfy({ history.operations[$0].action.isSelfOperation })
                    else { continue }
                }
                found.insert(revocation)
            }
        }
        return found
    }

    /// The effective grants that nothing effective reaches but removals by moderators outside the past of every
    /// departure.
    private func candidateGrants(departures: Set<Int>) -> [Grant] {
        effectiveGrants.filter { grant in
            effectiveRevocations(of: grant).map(\.number).allSatisfy { revocation in
                guard case .remove = history.operations[revocation].action,
                    history.authorities[revocation]?.role == .moderator
                else { return false }
                return departures.allSatisfy { !history.pasts[$0].contains(revocation) }
            }
        }
    }
}

/// A candidate's position in the line of succession; smaller comes first.
private struct SuccessionPosition: Comparable {
    let steppedDown: Bool
    let isEarly: Bool
    let isBasic: Bool
    let age: NaiveConfirmedAge

    static func < (left: SuccessionPosition, right: SuccessionPosition) -> Bool {
        if left.steppedDown != right.steppedDown { return right.steppedDown }
        if left.isEarly != right.isEarly { return left.isEarly }
        if left.isBasic != right.isBasic { return left.isBasic }
        return left.age < right.age
    }
}
