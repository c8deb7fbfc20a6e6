/// Since when somebody is there as those who decide have said or seen it: what capacity and succession go by. Less-than
/// is more senior.
///
/// The depth of a grant alone could be chosen: whoever may add people, or accepts an old invite, names early parents,
/// and would push out, or come before, people of long standing.
struct ConfirmedSeniority: Hashable, Comparable, Sendable {
    /// Whether nobody who decides has made or seen the grant. Those come after all others.
    let isUnconfirmed: Bool
    /// With the depth from which the grant counts: of the first such operation; of the grant's own one where there is
    /// none.
    let seniority: Seniority

    static func < (left: ConfirmedSeniority, right: ConfirmedSeniority) -> Bool {
        left.isUnconfirmed == right.isUnconfirmed ? left.seniority < right.seniority : right.isUnconfirmed
    }
}

/// For each operation the depth from which what it grants is confirmed; nil where it is not.
struct Confirmations: Sendable {
    private let depths: Table<OperationNumber, Int?>

    /// Finds the smallest depth of an operation that counts, is the creation or acts under a grant of moderator or
    /// more, and is the operation itself or has it in its past.
    ///
    /// - Complexity: O(*n*) in the graph, once everything is judged.
    fileprivate init(in scope: inout Evaluation) {
        let history = scope.history
        var depths = Table<OperationNumber, Int?>()
        depths.grow(to: history.records.endIndex, with: nil)
        // Everything comes before what has it in its past.
        for operation in history.records.indices.reversed() where scope.includes(operation) {
            let record = history.records[operation]
            if record.action == .create || record.authority.map({ history.grants[$0].role >= .moderator }) == true,
                scope.isEffective(operation)
            {
                depths[operation] = min(depths[operation] ?? record.depth, record.depth)
            }
            guard let depth = depths[operation] else { continue }
            for parent in record.parents { depths[parent] = min(depths[parent] ?? depth, depth) }
        }
        self.depths = depths
    }

    subscript(operation: OperationNumber) -> Int? { depths[operation] }
}

extension Evaluation {
    /// What is confirmed in the scope. What is in doubt is judged.
    mutating func confirmations() -> Confirmations { Confirmations(in: &self) }

    func seniority(of grant: GrantNumber, _ confirmations: Confirmations) -> ConfirmedSeniority {
        let (maker, seniority) = (history.grants[grant].operation, seniority(of: grant))
        let confirmed = confirmations[maker]
        return ConfirmedSeniority(
            isUnconfirmed: confirmed == nil,
            seniority: Seniority(
                depth: confirmed ?? history.records[maker].depth, slot: seniority.slot,
                tieBreaker: seniority.tieBreaker))
    }

    /// The most senior of the grants by which somebody is senior: those live at member or founder, else all live ones.
    mutating func seniority(of entry: Roster.Entry, _ confirmations: Confirmations) -> ConfirmedSeniority? {
        let person = entry.person
        if history.grantsOf[person].count == 1 { return seniority(of: entry.standing.grant, confirmations) }
        let live = liveGrants(of: person)
        let basic = live.filter { isBasic($0) }
        return (basic.isEmpty ? live : basic).map { seniority(of: $0, confirmations) }.min()
    }
}
