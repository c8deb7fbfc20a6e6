extension Evaluation {
    /// The revocations that took an admin or founder out of office, by number.
    ///
    /// Somebody who steps down or leaves departs only if they were in office then, and if nobody else has thrown them out: who was removed cannot
    /// change the succession by leaving once more.
    mutating func departures() -> Set<Int> {
        var departures: Set<Int> = []
        for person in history.officers {
            var thrownOut: [Int: Bool] = [:]
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
        for grant in history.highGrantsOf[revocation.target] where history.reaches(revocation, grant) {
            if includes(history.grants[grant].operation), isEffective(history.grants[grant].operation) { return true }
        }
        return false
    }

    /// Whether somebody gives up an office that was live and whole when they did, and that nobody else takes from them.
    private mutating func givesUpOffice(_ revocation: Revocation, _ thrownOut: inout [Int: Bool]) -> Bool {
        for place in history.records[revocation.operation].pastVerdict.givenUp.elements {
            let grant = history.highGrantsOf[revocation.target][place]
            guard isEffective(history.grants[grant].operation) else { continue }
            let isThrownOut = thrownOut[grant] ?? isTakenByOthers(grant)
            thrownOut[grant] = isThrownOut
            if !isThrownOut { return true }
        }
        return false
    }

    private mutating func isTakenByOthers(_ grant: Int) -> Bool {
        for revocation in history.revocationsOf[history.grants[grant].holder].reversed() where !revocation.isOwn {
            guard includes(revocation.operation), history.reaches(revocation, grant) else { continue }
            if isEffective(revocation.operation) { return true }
        }
        return false
    }

    /// The grants of admin or founder that are live and whole in the past of an operation by which their holder gives them up, by their
    /// places in `highGrantsOf`. This evaluation is State(past).
    mutating func officesGivenUp(by record: Record) -> OperationSet {
        var offices = OperationSet()
        guard record.action.isSelfOperation else { return offices }
        let high = history.highGrantsOf[record.author]
        guard !high.isEmpty else { return offices }
        for grant in liveGrants(of: record.author) where history.grants[grant].role >= .admin {
            if remainingRole(of: grant) == RemainingRole(history.grants[grant].role) {
                offices.insert(high.firstPlace { $0 >= grant })
            }
        }
        return offices
    }
}
