extension VerdictCache {
    /// An operation whose verdict may have changed, and what it was.
    private typealias Invalidation = (operation: OperationNumber, counted: Bool)

    /// Takes an operation into the scope, of which its past is part, and forgets what it may change.
    ///
    /// Invalidated verdicts are evaluated again on demand. So when branches meet, the cost grows with what they change in each other, not
    /// with their size.
    ///
    /// - Complexity: O(1) for what has seen the whole scope, else for each act of those from whom something that is now in doubt takes something.
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
        var doubts: [Invalidation] = []
        var forgotten: [OperationNumber] = []
        forget(whatFollowsFrom: operation, history)
        if let revoked { doubt(whatWasWrittenOn: revoked, pinnedBefore, &doubts, history) }
        // What else has seen everything voids nothing, and nothing depends on it.
        if !hasSeenAll { doubt(whatRestsOn: (operation, false), isNew: true, &doubts, history) }
        while let next = doubts.popLast() {
            forgotten.append(next.operation)
            forget(whatFollowsFrom: next.operation, wasCounted: next.counted, history)
            doubt(whatRestsOn: next, isNew: false, &doubts, history)
        }
        return forgotten
    }

    /// Forgets what is left of grants, and who acts, because an operation may count now, or no more.
    private mutating func forget(
        whatFollowsFrom operation: OperationNumber, wasCounted: Bool = false, _ history: History
    ) {
        let grants = history.records[operation].grants
        let revocations = history.revocations(of: operation)
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

    private mutating func forget(_ grant: GrantNumber, _ history: History) {
        remainingRoles.forget(
            grant, of: history.grants[grant].holder, isAdminGrant: history.grants[grant].role >= .admin)
    }

    /// Forgets the verdicts on what was written on a device, where one more revocation of it may change them.
    ///
    /// The first one voids what it does not pin. What is void since then may count again, where a further one pins it.
    private mutating func doubt(
        whatWasWrittenOn device: DeviceNumber, _ pinnedBefore: OperationSet?, _ doubts: inout [Invalidation],
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
            doubts.append((written, counted))
        }
    }

    /// Forgets the verdicts on operations that depend on one in doubt, or are threatened or kept by it.
    private mutating func doubt(
        whatRestsOn doubted: Invalidation, isNew: Bool, _ doubts: inout [Invalidation], _ history: History
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
        history.forEachOperation(
            threatenedBy: operation, isNew: isNew, among: { isInDoubt($0, ifCounted: !counted) },
            { found.append((operation: $0, counted: !counted)) })
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
        doubts += found
    }
}
