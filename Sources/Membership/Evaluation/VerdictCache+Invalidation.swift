extension VerdictCache {
    /// An operation whose verdict may have changed, and what it was.
    private typealias Invalidation = (operation: OperationNumber, counted: Bool)

    /// What is in doubt, and of what is not in doubt what was not looked at yet: of what counts and of what is void.
    private struct Doubts {
        var open: [Invalidation] = []
        var acts: [Bool: Unvisited<OperationNumber>] = [:]
        var grants: [Bool: Unvisited<GrantNumber>] = [:]
    }

    /// Takes an operation into the scope, of which its past is part, and forgets what it may change.
    ///
    /// Invalidated verdicts are evaluated again on demand. So when branches meet, the cost grows with what they change
    /// in each other, not with their size.
    ///
    /// - Complexity: O(1) for what has seen the whole scope, else O(*a*) in the acts of those from whom something that
    ///   is now in doubt takes something, and O(1) for each of these that such a revocation does not threaten.
    /// - Returns: the operations on which the verdict is forgotten.
    @discardableResult
    mutating func include(_ operation: OperationNumber, in history: History) -> [OperationNumber] {
        let hasSeenAll = history.records[operation].past == scope
        let revoked = history.deviceRevoked(by: operation)
        let pinnedBefore = revoked.flatMap { pinned(on: $0, in: history) }
        take(operation, in: history)
        for grant in history.records[operation].grants {
            remainingRoles.mayBeLive(
                grant, of: history.grants[grant].holder, isAdminGrant: history.grants[grant].role >= .admin)
        }
        guard history.records[operation].voidReason == nil else { return [] }
        var doubts = Doubts()
        var forgotten: [OperationNumber] = []
        forget(whatFollowsFrom: (operation, false), &doubts, history)
        if let revoked { doubt(whatWasWrittenOn: revoked, pinnedBefore, &doubts, history) }
        // What else has seen everything voids nothing, and nothing depends on it.
        if !hasSeenAll { doubt(whatRestsOn: (operation, false), isNew: true, &doubts, history) }
        while let next = doubts.open.popLast() {
            forgotten.append(next.operation)
            forget(whatFollowsFrom: next, &doubts, history)
            doubt(whatRestsOn: next, isNew: false, &doubts, history)
        }
        return forgotten
    }

    /// Forgets what is left of grants, and who acts, because an operation may count now, or no more.
    private mutating func forget(
        whatFollowsFrom doubted: Invalidation, _ doubts: inout Doubts, _ history: History
    ) {
        let (operation, wasCounted) = doubted
        let grants = history.records[operation].grants
        let revocations = history.revocations(of: operation)
        if grants.isEmpty, revocations.isEmpty { return }
        acting = nil
        for grant in grants { forget(grant, history) }
        for revocation in revocations {
            if !wasCounted { reopenRevocations(of: revocation.target) }
            let known = wasCounted ? nil : remainingRoles.candidates(of: revocation.target)
            let concerned = doubts.grants[wasCounted, default: Unvisited()].take(
                of: revocation.target, from: known ?? history.grantsOf[revocation.target],
                while: { remainingRoles[$0] != nil },
                where: { grant in
                    guard let remaining = remainingRoles[grant] else { return false }
                    return (wasCounted ? remaining == revocation.floor : remaining > revocation.floor)
                        && history.reaches(revocation, grant)
                })
            for grant in concerned { forget(grant, history) }
        }
    }

    private mutating func forget(_ grant: GrantNumber, _ history: History) {
        remainingRoles.forget(
            grant, of: history.grants[grant].holder, isAdminGrant: history.grants[grant].role >= .admin)
    }

    /// Forgets the verdicts on what was written on a device, where one more revocation of it may change them.
    ///
    /// The first one voids what it does not pin. What is void since then may count again, where a further one pins it.
    private mutating func doubt(
        whatWasWrittenOn device: DeviceNumber, _ pinnedBefore: OperationSet?, _ doubts: inout Doubts,
        _ history: History
    ) {
        guard let pinned = pinned(on: device, in: history) else { return }
        let concerned: [OperationNumber]
        if let pinnedBefore {
            concerned = pinned.elements(beyond: pinnedBefore).filter { history.records[$0].device == device }
        } else {
            concerned = history.devices.writtenOn[device].filter { !pinned.contains($0) }
        }
        let counted = pinnedBefore == nil
        for written in concerned
        where verdicts[written] == counted && history.records[written].voidReason == nil
            && history.deviceVoiding(written) != nil
        {
            verdicts[written] = nil
            doubts.open.append((written, counted))
        }
    }

    /// Forgets the verdicts on operations that depend on one in doubt, or are threatened or kept by it.
    private mutating func doubt(
        whatRestsOn doubted: Invalidation, isNew: Bool, _ doubts: inout Doubts, _ history: History
    ) {
        let (operation, counted) = doubted
        let rivals = history.invite(joinedByCodeIn: operation).map { joins(byCodeOf: $0, in: history) } ?? []
        func isInDoubt(_ dependent: OperationNumber, ifCounted: Bool) -> Bool {
            verdicts[dependent] == ifCounted && history.records[dependent].voidReason == nil
        }
        // What is void stays void under one more threat, and what counts under one less.
        var found: [Invalidation] = []
        for dependent in history.dependents[operation] where isInDoubt(dependent, ifCounted: counted) {
            found.append((dependent, counted))
        }
        for addition in history.memberAdditions(after: operation) {
            if let verdict = verdicts[addition] { found.append((addition, verdict)) }
        }
        let threatened = history.operations(
            threatenedBy: operation, isNew: isNew, among: &doubts.acts[!counted, default: Unvisited()],
            where: { isInDoubt($0, ifCounted: !counted) })
        found += threatened.map { (operation: $0, counted: !counted) }
        history.forEachOperation(
            keptBy: operation, among: { isInDoubt($0, ifCounted: counted) },
            { found.append((operation: $0, counted: counted)) })
        // A join that this join outranks is also outranked by the join that outranks this one.
        let winner = counted ? history.winner(over: operation, among: rivals, where: { verdicts[$0] == true }) : nil
        history.forEachJoin(
            threatenedBy: operation, among: rivals,
            where: { join in
                isInDoubt(join, ifCounted: !counted) && !(winner.map { history.mayVoid($0, join: join) } ?? false)
            },
            { found.append((operation: $0, counted: !counted)) })
        for doubt in found { verdicts[doubt.operation] = nil }
        doubts.open += found
    }
}
