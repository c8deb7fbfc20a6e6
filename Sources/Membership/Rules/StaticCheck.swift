extension Evaluation {
    /// What an operation's own past says of it. This evaluation is State(past): the view its author had.
    ///
    /// What fails here is void permanently, on every replica, since no replica can have the operation without its past.
    mutating func pastVerdict(of operation: OperationNumber) -> PastVerdict {
        let record = history.records[operation]
        guard let voidReason = pastObjection(to: operation) else {
            return PastVerdict(setting: settingNeeded(by: record), givenUp: officesGivenUp(by: record))
        }
        return PastVerdict(voidReason: voidReason)
    }

    private mutating func pastObjection(to operation: OperationNumber) -> VoidReason<OperationNumber>? {
        let record = history.records[operation]
        return switch record.action {
        case .create: creationObjection(to: operation)
        case .merge: nil
        case .revoke: pinObjection(to: operation)
        case .leave, .stepdown, .device: everHadGrant(record.author) ? nil : VoidReason(.neverAMember)
        case .join, .decline: answerObjection(to: record)
        case .add, .invite, .set: authorityObjection(to: record)
        case .promote(let target, let role):
            authorityObjection(to: record) ?? promotionObjection(to: record, of: target, to: role)
        case .remove(let target):
            authorityObjection(to: record) ?? removalObjection(to: record, of: target)
        case .demote(let target, let role):
            authorityObjection(to: record) ?? demotionObjection(to: record, of: target, to: role)
        case .ratify(let keep, let bans):
            authorityObjection(to: record) ?? ratificationObjection(to: record, keep: keep, bans: bans)
        case .cancel: authorityObjection(to: record) ?? cancellationObjection(to: record)
        }
    }

    /// Whether some operation of the past, effective or not, names a person as holder of a grant.
    func everHadGrant(_ person: PersonNumber) -> Bool {
        history.grantsOf[person].contains { includes(history.grants[$0].operation) }
    }

    /// Whether a person keeps more than the floor of some grant.
    mutating func hasLiveGrant(_ person: PersonNumber, above floor: RemainingRole = .gone) -> Bool {
        var candidates = liveCandidates(of: person)
        // The newest first: it most likely is live.
        var place = candidates.count
        var isFound = false
        while place > 0, !isFound {
            place -= 1
            let remaining = remainingRole(of: candidates[place])
            isFound = remaining > floor
            if remaining == .gone { candidates.remove(at: place) }
        }
        findings.remainingRoles.keep(candidates, of: person)
        return isFound
    }

    /// The grants of a person of which something may be left, ascending.
    private func liveCandidates(of person: PersonNumber) -> [GrantNumber] {
        findings.remainingRoles.candidates(of: person)
            ?? history.grantsOf[person].filter { includes(history.grants[$0].operation) }
    }

    /// The grants of which something is left to a person.
    mutating func liveGrants(of person: PersonNumber) -> [GrantNumber] {
        var live: [GrantNumber] = []
        for grant in liveCandidates(of: person) where remainingRole(of: grant) > .gone { live.append(grant) }
        findings.remainingRoles.keep(live, of: person)
        return live
    }
}
