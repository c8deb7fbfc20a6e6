extension Evaluation {
    /// The revocations that took an admin or founder out of office, by number.
    ///
    /// Who steps down or leaves departs only if he was in office then, and if nobody else has thrown him out: who was removed cannot
    /// change the succession by leaving once more.
    mutating func departures() -> Set<Int> {
        var departures: Set<Int> = []
        for grant in history.highGrants where includes(history.grants[grant].operation) {
            guard isEffective(history.grants[grant].operation) else { continue }
            let reaching = revocations(reaching: grant)
            let isThrownOut = reaching.contains { !history.records[$0].deed.isSelfOperation }
            for revocation in reaching where !departures.contains(revocation) {
                if history.records[revocation].deed.isSelfOperation, isThrownOut || !wasWhole(grant, before: revocation)
                {
                    continue
                }
                departures.insert(revocation)
            }
        }
        return departures
    }

    /// Whether a grant was live and uncapped in the past of an operation.
    private func wasWhole(_ grant: Int, before operation: Int) -> Bool {
        var before = Evaluation(history, within: history.records[operation].past)
        return before.level(of: grant) == Level(history.grants[grant].tier)
    }
}
