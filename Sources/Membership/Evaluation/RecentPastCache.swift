/// What was found in the pasts of the last operations that were written on old heads.
///
/// An author on a concurrent branch names a past that contains one of these pasts and a few more operations. Cached
/// results stay valid except where those operations change them. So a branch costs only what it adds, however many
/// other branches there are.
struct RecentPastCache: Sendable {
    /// The pasts by their heads, the one asked about last at the end.
    private var known: [(heads: [OperationNumber], findings: VerdictCache)] = []

    private static var maximumPasts: Int { 32 }
    /// At most so many operations are added to a cached past; beyond that, a fresh evaluation is cheaper.
    private static var maximumNewOperations: Int { 64 }

    /// What is known of the past with some heads, ascending. What is found out about it goes to ``remember(_:at:)``.
    mutating func findings(at heads: [OperationNumber], in history: History) -> VerdictCache {
        if let place = known.lastIndex(where: { $0.heads == heads }) {
            var findings = known.remove(at: place).findings
            findings.grow(to: history.records.endIndex)
            return findings
        }
        let past = history.past(through: heads)
        guard let nearest = nearest(to: past) else { return VerdictCache(within: past) }
        var findings = nearest
        findings.grow(to: history.records.endIndex)
        for operation in past.elements(beyond: findings.scope) { findings.include(operation, in: history) }
        return findings
    }

    /// The largest known part of a past, if little is missing.
    private func nearest(to past: OperationSet) -> VerdictCache? {
        let count = past.count
        var nearest: VerdictCache?
        for (_, findings) in known.reversed() {
            guard findings.count > nearest?.count ?? max(0, count - Self.maximumNewOperations - 1),
                findings.count <= count,
                past.isSuperset(of: findings.scope)
            else { continue }
            nearest = findings
        }
        return nearest
    }

    /// Keeps what was found in the past with some heads.
    mutating func remember(_ findings: VerdictCache, at heads: [OperationNumber]) {
        if known.count >= Self.maximumPasts { known.removeFirst() }
        known.append((heads, findings))
    }
}
