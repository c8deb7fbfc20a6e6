extension Evaluation {
    /// What ends the invite that a join accepts, unless it had seen the join.
    func endings(threatening operation: Int) -> [Int] {
        let record = history.records[operation]
        guard record.deed == .join, let invite = record.invite else { return [] }
        return (history.endings[invite] ?? []).filter {
            includes($0) && !history.records[$0].past.contains(operation)
        }
    }
}

extension History {
    /// The joins that the end of an invite may void.
    func joins(threatenedBy ending: Int) -> [Int] {
        let record = records[ending]
        guard record.deed.endsInvite, let invite = record.invite else { return [] }
        return (joins[invite] ?? []).filter { !record.past.contains($0) }
    }
}
