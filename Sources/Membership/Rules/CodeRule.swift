extension Evaluation {
    /// The joins that use up an invite by code before another one: those by other people that outrank it.
    ///
    /// Two who use one code concurrently have no earlier and later. Both grants have the invite's depth, so the tie keys order them:
    /// the same on every replica, and known before the conversation to nobody. Who had seen a join of somebody else is void by
    /// `AnswerRule.swift`, so a rank that is greater by chance does not turn anybody out who was there first.
    func rivals(threatening operation: Int) -> [Int] {
        history.rivals(threatening: operation).filter { includes($0) }
    }
}

extension History {
    /// The joins of other people by the same code that outrank a join, the weightiest first.
    func rivals(threatening join: Int) -> [Int] {
        guard let rank = records[join].stratum, let others = codeJoins(like: join) else { return [] }
        let end = others.firstPlace { !(rank < self.rank(ofJoin: $0)) }
        return others[..<end].filter { records[$0].author != records[join].author }
    }

    /// The joins that a join voids by using up their invite, if it counts: those of other people that it outranks.
    func rivals(threatenedBy join: Int) -> [Int] {
        guard let rank = records[join].stratum, let others = codeJoins(like: join) else { return [] }
        let begin = others.firstPlace { self.rank(ofJoin: $0) < rank }
        return others[begin...].filter { records[$0].author != records[join].author }
    }

    /// The joins by the code by which an operation joins; nil if it joins by none.
    private func codeJoins(like join: Int) -> [Int]? {
        guard records[join].isJoin, let invite = records[join].invite else { return nil }
        return codeJoins[invite]
    }

    func rank(ofJoin join: Int) -> Rank {
        guard let rank = records[join].rank else { preconditionFailure("a join makes a grant") }
        return rank
    }
}
