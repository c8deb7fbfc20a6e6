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

    /// The operations that a revocation newly in the graph may void: it has seen none of them.
    func operations(threatenedBy revocation: Int) -> [Int] {
        let record = records[revocation]
        guard !record.deed.isSelfOperation else { return [] }
        return targets(of: revocation).flatMap { target in actsOf[target].filter { !record.past.contains($0) } }
    }

    /// Whose grants an operation takes away.
    func targets(of operation: Int) -> [Int] {
        let record = records[operation]
        return switch record.deed {
        case .remove(let target), .demote(let target, _): [target]
        case .ratify(_, let bans): Array(Set(bans))
        case .leave, .stepdown: [record.author]
        case .create, .add, .invite, .join, .decline, .cancel, .promote, .set, .device, .merge: []
        }
    }
}
