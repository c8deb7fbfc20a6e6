extension Evaluation {
    /// What ends the invite that a join accepts.
    func endings(threatening operation: Int) -> [Int] {
        let record = history.records[operation]
        guard record.isJoin, let invite = record.invite else { return [] }
        return (history.endings[invite] ?? []).filter { includes($0) && history.ends($0, joinedBy: operation) }
    }
}

extension History {
    /// Whether the end of an invite voids a join by it, if it counts.
    ///
    /// Who takes an invite back undoes what he had not seen. Who turns one down gives up something himself: that ends what comes after it, so
    /// a stale phone that declines does not undo what the laptop accepted.
    func ends(_ ending: Int, joinedBy join: Int) -> Bool {
        records[ending].deed == .decline
            ? records[join].past.contains(ending) : !records[ending].past.contains(join)
    }

    /// The joins that were there before the end of an invite and that it may void.
    func joins(threatenedBy ending: Int) -> [Int] {
        let record = records[ending]
        guard record.deed == .cancel, let invite = record.invite else { return [] }
        return (joins[invite] ?? []).filter { ends(ending, joinedBy: $0) }
    }
}
