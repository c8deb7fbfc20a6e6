extension Evaluation {
    /// The revocations that void an operation if they count themselves: they reach its warrant and leave too little of it.
    ///
    /// A revocation by somebody else voids what it has not seen, done after it or beside it: this is the strong remove. Who gives up
    /// something himself ends only what comes after: a stale phone that leaves must not undo what the laptop did.
    func revocations(threatening operation: Int) -> [Int] {
        guard let warrant = history.records[operation].warrant else { return [] }
        var threats: [Int] = []
        for revocation in history.revocationsOf[history.grants[warrant.grant].holder] {
            if includes(revocation.operation), history.threatens(revocation, operation, warrant) {
                threats.append(revocation.operation)
            }
        }
        return threats
    }
}

extension History {
    fileprivate func threatens(_ revocation: Revocation, _ operation: Int, _ warrant: Warrant) -> Bool {
        guard !revocation.floor.suffices(for: warrant.need) else { return false }
        let concerns =
            revocation.isOwn
            ? records[operation].past.contains(revocation.operation)
            : !records[revocation.operation].past.contains(operation)
        return concerns && reaches(revocation, warrant.grant)
    }

    /// The operations that an operation voids by revoking something, if it counts.
    ///
    /// What its author gives up himself is left out: it threatens only what had seen it, so nothing that was there before it.
    func operations(threatenedBy operation: Int) -> [Int] {
        records[operation].revocations.filter { !$0.isOwn }.flatMap { revocation in
            actsOf[revocation.target].filter { act in
                records[act].warrant.map { threatens(revocation, act, $0) } ?? false
            }
        }
    }
}
