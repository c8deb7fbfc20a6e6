extension Findings {
    /// An operation whose verdict may have changed, and what it was.
    private typealias Doubt = (operation: Int, counted: Bool)

    /// Takes an operation into the scope, of which its past is part, and forgets what it may change.
    ///
    /// What is forgotten is found again when it is asked for. So branches that meet cost what they change in each other, and not what they hold.
    ///
    /// - Complexity: O(1) for what has seen the whole scope, else for each act of those from whom something that is now in doubt takes something.
    /// - Returns: the operations on which the verdict is forgotten.
    @discardableResult
    mutating func include(_ operation: Int, in history: History) -> [Int] {
        let hasSeenAll = history.records[operation].past == scope
        take(operation, in: history)
        for grant in history.records[operation].grants {
            remainingRoles.mayBeLive(
                grant, of: history.grants[grant].holder, isHigh: history.grants[grant].role >= .admin)
        }
        guard history.records[operation].objection == nil else { return [] }
        var doubts: [Doubt] = []
        var forgotten: [Int] = []
        forget(whatFollowsFrom: operation, history)
        // What has seen everything voids nothing, and nothing depends on it.
        if !hasSeenAll { doubt(whatRestsOn: (operation, false), &doubts, history) }
        while let next = doubts.popLast() {
            forgotten.append(next.operation)
            forget(whatFollowsFrom: next.operation, wasCounted: next.counted, history)
            doubt(whatRestsOn: next, &doubts, history)
        }
        return forgotten
    }

    /// Forgets what is left of grants, and who acts, because an operation may count now, or no more.
    private mutating func forget(
        whatFollowsFrom operation: Int, wasCounted: Bool = false, _ history: History
    ) {
        let grants = history.records[operation].grants
        let revocations = history.records[operation].revocations
        if grants.isEmpty, revocations.isEmpty { return }
        acting = nil
        for grant in grants { forget(grant, history) }
        for revocation in revocations {
            let known = wasCounted ? nil : remainingRoles.candidates(of: revocation.target)
            for grant in known ?? history.grantsOf[revocation.target] {
                guard let remaining = remainingRoles[grant],
                    wasCounted ? remaining == revocation.floor : remaining > revocation.floor,
                    history.reaches(revocation, grant)
                else { continue }
                forget(grant, history)
            }
        }
    }

    private mutating func forget(_ grant: Int, _ history: History) {
        remainingRoles.forget(grant, of: history.grants[grant].holder, isHigh: history.grants[grant].role >= .admin)
    }

    /// Forgets the verdicts on operations that depend on one in doubt or are threatened by it.
    private mutating func doubt(
        whatRestsOn doubted: Doubt, _ doubts: inout [Doubt], _ history: History
    ) {
        let (operation, counted) = doubted
        let rivals = history.invite(joinedByCodeIn: operation).map { joins(byCodeOf: $0, in: history) } ?? []
        func isInDoubt(_ dependent: Int, ifCounted: Bool) -> Bool {
            verdicts[dependent] == ifCounted && history.records[dependent].objection == nil
        }
        // What is void stays void under one more threat, and what counts under one less.
        var found: [Doubt] = []
        for dependent in history.supportedBy[operation] where isInDoubt(dependent, ifCounted: counted) {
            found.append((dependent, counted))
        }
        history.forEachOperation(
            threatenedBy: operation, among: { isInDoubt($0, ifCounted: !counted) },
            { found.append((operation: $0, counted: !counted)) })
        // Somebody who lost to this one lost to whoever beat this one, too.
        let winner = counted ? history.winner(over: operation, among: rivals, where: { verdicts[$0] == true }) : nil
        history.forEachJoin(
            threatenedBy: operation, among: rivals,
            where: { join in
                isInDoubt(join, ifCounted: !counted) && !(winner.map { history.mayVoid($0, join: join) } ?? false)
            },
            { found.append((operation: $0, counted: !counted)) })
        for doubt in found { verdicts[doubt.operation] = nil }
        doubts += found
    }
}
