/// What was found in the pasts of the last operations that were written on old heads.
///
/// Somebody who goes on concurrently with others names a past that holds one of these and a few operations more. What was found stays true but for what those
/// change. So a branch costs what it adds, however many others there are, and so do branches that meet.
struct RecentPasts: Sendable {
    /// The pasts by their heads, the one asked about last at the end.
    private var known: [(heads: [Int], findings: Findings)] = []

    private static var maximumPasts: Int { 32 }
    /// How many operations are put into a known past. To find out anew what is asked for costs less than many.
    private static var maximumNews: Int { 64 }

    /// What is known of the past with some heads, ascending. What is found out about it goes to ``remember(_:at:)``.
    mutating func findings(at heads: [Int], in history: History) -> Findings {
        if let place = known.lastIndex(where: { $0.heads == heads }) {
            var findings = known.remove(at: place).findings
            findings.grow(operations: history.records.count)
            return findings
        }
        let past = history.past(through: heads)
        guard let nearest = nearest(to: past) else { return Findings(within: past) }
        var findings = nearest
        findings.grow(operations: history.records.count)
        for operation in past.elements(beyond: findings.scope) { findings.include(operation, in: history) }
        return findings
    }

    /// The largest known part of a past, if little is missing.
    private func nearest(to past: OperationSet) -> Findings? {
        let count = past.count
        var nearest: Findings?
        for (_, findings) in known.reversed() {
            guard findings.count > nearest?.count ?? max(0, count - Self.maximumNews - 1), findings.count <= count,
                past.isSuperset(of: findings.scope)
            else { continue }
            nearest = findings
        }
        return nearest
    }

    /// Keeps what was found in the past with some heads.
    mutating func remember(_ findings: Findings, at heads: [Int]) {
        if known.count >= Self.maximumPasts { known.removeFirst() }
        known.append((heads, findings))
    }
}
