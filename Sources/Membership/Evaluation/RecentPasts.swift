/// What was found in the pasts of the last operations that were written on old heads.
///
/// Who goes on beside others names a past that is the one before and a single operation more. That operation has seen everything else there,
/// so it changes no verdict in it, and what was found stays true but for the grants that it makes and takes away. So a branch costs what it
/// adds, however many others there are.
struct RecentPasts: Sendable {
    /// The pasts by their heads, the one asked about last at the end.
    private var known: [(heads: [Int], findings: Findings)] = []

    private static var limit: Int { 32 }
    /// How far back on a branch a known past is looked for.
    private static var longestWay: Int { 64 }

    /// What is known of the past with some heads, ascending. What is found out about it goes to ``remember(_:at:)``.
    mutating func findings<ID, Person>(at heads: [Int], in history: History<ID, Person>) -> Findings {
        var way: [Int] = []
        var earlier = heads
        while true {
            if let place = known.lastIndex(where: { $0.heads == earlier }) {
                let start = way.isEmpty ? known.remove(at: place) : known[place]
                return Self.extended(start.findings, by: way, in: history)
            }
            guard earlier.count == 1, let head = earlier.first, way.count < Self.longestWay else { break }
            way.append(head)
            earlier = history.records[head].parents
        }
        return Findings(within: history.past(through: heads))
    }

    /// Keeps what was found in the past with some heads.
    mutating func remember(_ findings: Findings, at heads: [Int]) {
        if known.count >= Self.limit { known.removeFirst() }
        known.append((heads, findings))
    }

    /// What is known where each operation of a way back is in the past, too.
    private static func extended<ID, Person>(
        _ findings: Findings, by way: [Int], in history: History<ID, Person>
    ) -> Findings {
        var findings = findings
        findings.grow(operations: history.records.count)
        for operation in way.reversed() { findings.include(operation, in: history) }
        return findings
    }
}

extension Findings {
    /// Takes an operation into the scope that has all of it in its past.
    fileprivate mutating func include<ID, Person>(_ operation: Int, in history: History<ID, Person>) {
        include(operation)
        let record = history.records[operation]
        if !record.grants.isEmpty || !record.revocations.isEmpty { acting = nil }
        let targets = Set(record.revocations.map(\.target))
        guard !targets.isEmpty else { return }
        levels.forget { targets.contains(history.grants[$0].holder) }
        for grant in Array(reaching.keys) where targets.contains(history.grants[grant].holder) {
            reaching[grant] = nil
        }
    }
}
