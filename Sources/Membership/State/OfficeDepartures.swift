extension Evaluation {
    /// The revocations that took an admin or founder out of office, by number.
    ///
    /// Stepping down or leaving is a departure only if the person was admin or founder at that time and nobody else
    /// removed them. A removed person cannot change the succession by leaving once more.
    mutating func departures() -> Set<OperationNumber> {
        var departures: Set<OperationNumber> = []
        for person in history.adminGrantees {
            var thrownOut: [GrantNumber: Bool] = [:]
            for revocation in history.revocationsOf[person] where includes(revocation.operation) {
                guard isEffective(revocation.operation) else { continue }
                let departs =
                    revocation.isOwn
                    ? givesUpOffice(revocation, &thrownOut)
                    : takesOffice(revocation)
                if departs { departures.insert(revocation.operation) }
            }
        }
        return departures
    }

    /// Whether a revocation by somebody else reaches a grant of admin or founder that counts.
    private mutating func takesOffice(_ revocation: Revocation) -> Bool {
        for grant in history.adminGrantsOf[revocation.target] where history.reaches(revocation, grant) {
            if includes(history.grants[grant].operation), isEffective(history.grants[grant].operation) { return true }
        }
        return false
    }

    /// Whether somebody gives up an office that was live and whole when they did, and that nobody else takes from them.
    private mutating func givesUpOffice(_ revocation: Revocation, _ thrownOut: inout [GrantNumber: Bool]) -> Bool {
        for place in history.records[revocation.operation].pastVerdict.givenUp.elements {
            let grant = history.adminGrantsOf[revocation.target][place]
            guard isEffective(history.grants[grant].operation) else { continue }
            let isThrownOut = thrownOut[grant] ?? isTakenByOthers(grant)
            thrownOut[grant] = isThrownOut
            if !isThrownOut { return true }
        }
        return false
    }

    private mutating func isTakenByOthers(_ grant: GrantNumber) -> Bool {
        for revocation in history.revocationsOf[history.grants[grant].holder].reversed() where !revocation.isOwn {
            guard includes(revocation.operation), history.reaches(revocation, grant) else { continue }
            if isEffective(revocation.operation) { return true }
        }
        return false
    }

    /// The grants of admin or founder that are live and whole in the past of an operation by which their holder gives
    /// them up, by their places in `adminGrantsOf`. This evaluation is State(past).
    mutating func officesGivenUp(by record: IndexedOperation) -> PlaceSet {
        var offices = PlaceSet()
        guard record.action.rules.isSelfOperation else { return offices }
        let high = history.adminGrantsOf[record.author]
        guard !high.isEmpty else { return offices }
        for grant in liveGrants(of: record.author) where history.grants[grant].role >= .admin {
            if remainingRole(of: grant) == RemainingRole(history.grants[grant].role) {
                offices.insert(high.partitioningIndex { $0 >= grant })
            }
        }
        return offices
    }
}
