/// The verdicts in a causally closed set of operations, found as far as they are asked for.
///
/// An operation is effective if its own past does not void it, all its prerequisites are effective, and no effective
/// operation voids it. All that a verdict rests on ranks strictly higher, so no verdict rests on itself and there is
/// one answer: the perfect model of a stratified program (Apt, Blair and Walker, "Towards a Theory of Declarative
/// Knowledge", 1988).
///
/// What counts in the past of an operation is its author's view; the rules call it State(past).
///
/// The words: an operation acts under its *authority*, a grant; its *requiredAuthority* is the grant that must still be
/// live for it to count, which for a join is the inviter's; its *supports* are the operations that must count for it to
/// count; its *threats* are those that must not; supports and threats are its *grounds*.
struct Evaluation: Sendable {
    var history: History
    var findings: VerdictCache

    init(_ history: History, _ findings: VerdictCache) {
        self.history = history
        self.findings = findings
        grow()
    }

    var scope: OperationSet { findings.scope }

    func includes(_ operation: OperationNumber) -> Bool { findings.scope.contains(operation) }

    /// Makes room for operations that were put into the history.
    mutating func grow() { findings.grow(to: history.records.endIndex) }

    /// Whether an operation of the scope counts.
    mutating func isEffective(_ operation: OperationNumber) -> Bool {
        if let known = findings.verdicts[operation] { return known }
        settle(operation)
        return counts(operation)
    }

    /// The verdict on something that was judged.
    func counts(_ operation: OperationNumber) -> Bool {
        guard let verdict = findings.verdicts[operation] else {
            preconditionFailure("a verdict rests on operations of strictly higher rank only")
        }
        return verdict
    }

    /// Evaluates an operation that has seen the whole scope, if the remaining role of its authority is cached. Nothing
    /// else can void such an operation, and nothing reaches its grants.
    mutating func evaluateAfterAllHeads(_ operation: OperationNumber) {
        let record = history.records[operation]
        guard record.voidReason == nil, !record.isJoin, !record.isActing, record.pastVerdict.setting == nil,
            !isCut(operation), let requiredAuthority = record.requiredAuthority,
            let remaining = findings.remainingRoles[requiredAuthority.grant]
        else { return }
        let counts = remaining.suffices(for: requiredAuthority.need)
        findings.verdicts[operation] = counts
        for grant in record.grants {
            let (holder, role) = (history.grants[grant].holder, history.grants[grant].role)
            findings.remainingRoles.note(counts ? RemainingRole(role) : .gone, leftOf: grant, of: holder)
        }
    }

    /// What is left of a grant; nothing if the operation that made it is void or outside the scope.
    ///
    /// - Complexity: O(*r*) in what was taken away from its holder, once.
    mutating func remainingRole(of grant: GrantNumber) -> RemainingRole {
        // Not remembered: the scope may grow.
        guard includes(history.grants[grant].operation) else { return .gone }
        if let known = findings.remainingRoles[grant] { return known }
        let remaining = findRemainingRole(of: grant)
        findings.remainingRoles.note(remaining, leftOf: grant, of: history.grants[grant].holder)
        return remaining
    }
}

// MARK: - Judging what is asked for

/// An operation being judged, and how far that has come.
private struct EvaluationFrame {
    let operation: OperationNumber
    /// The grounds that were looked at already, and decide nothing.
    var seen = 0
    /// Of the revocations that may keep what was written on a device that was revoked, those that were looked at.
    var keepersSeen = 0
    /// The revocations that may void it: those that were open when the first was looked at.
    var revocations: [Revocation]?
    /// Of these, those that were found to be void.
    var passedOver = 0
}

/// How far judging has come.
enum Step {
    case decided(Bool)
    /// Another verdict is needed first.
    case needs(OperationNumber)
}

extension Evaluation {
    /// Judges an operation and as much of what its verdict rests on as decides about it.
    ///
    /// The evaluation uses an explicit stack instead of recursion, because a chain of dependencies may be as long as
    /// the lane.
    private mutating func settle(_ wanted: OperationNumber) {
        var open = [EvaluationFrame(operation: wanted)]
        while var inquiry = open.popLast() {
            switch advance(&inquiry) {
            case .decided(let verdict): findings.verdicts[inquiry.operation] = verdict
            case .needs(let other):
                open.append(inquiry)
                open.append(EvaluationFrame(operation: other))
            }
        }
    }

    /// Judges an operation if all that its verdict rests on is known.
    mutating func evaluateFromCache(_ operation: OperationNumber) {
        var inquiry = EvaluationFrame(operation: operation)
        if case .decided(let verdict) = advance(&inquiry) { findings.verdicts[operation] = verdict }
    }

    /// What the revocations of its device say of an operation, by ``DeviceRule``; nil if they leave it as it is.
    private mutating func advanceDeviceRule(_ inquiry: inout EvaluationFrame) -> Step? {
        let operation = inquiry.operation
        guard isCut(operation) else { return nil }
        let revocations = history.revocationsOf[history.records[operation].author]
        while inquiry.keepersSeen < revocations.count {
            let keeper = revocations[inquiry.keepersSeen]
            if findings.verdicts[keeper.operation] != false, includes(keeper.operation),
                history.keeps(keeper, operation)
            {
                guard let verdict = findings.verdicts[keeper.operation] else { return .needs(keeper.operation) }
                if verdict { return nil }
            }
            inquiry.keepersSeen += 1
        }
        return .decided(false)
    }

    /// What the revocations of the authority behind it say of an operation; nil if they leave it as it is.
    private mutating func advanceRevocationRule(_ inquiry: inout EvaluationFrame) -> Step? {
        guard let requiredAuthority = history.records[inquiry.operation].requiredAuthority else { return nil }
        let holder = history.grants[requiredAuthority.grant].holder
        // Its own list: the one that is kept may get shorter while others are judged.
        let revocations = inquiry.revocations ?? findings.openRevocations(of: holder, in: history)
        inquiry.revocations = revocations
        guard inquiry.seen < revocations.count else { return nil }
        var step: Step?
        while step == nil, inquiry.seen < revocations.count {
            let revocation = revocations[inquiry.seen]
            let verdict = findings.verdicts[revocation.operation]
            // What is known not to count need not be looked at.
            if verdict == false {
                inquiry.passedOver += 1
            } else if history.threatens(revocation, inquiry.operation) {
                guard verdict != nil else { return .needs(revocation.operation) }
                step = .decided(false)
            }
            inquiry.seen += 1
        }
        findings.leaveOutVoidRevocations(of: holder, passedOver: inquiry.passedOver, in: history)
        return step
    }

    private mutating func advance(_ inquiry: inout EvaluationFrame) -> Step {
        let operation = inquiry.operation
        guard history.records[operation].voidReason == nil else { return .decided(false) }
        if let step = advanceDeviceRule(&inquiry) { return step }
        if inquiry.seen == 0 {
            for support in history.prerequisites(of: operation) {
                guard let verdict = findings.verdicts[support] else { return .needs(support) }
                guard verdict else { return .decided(false) }
            }
            if history.records[operation].pastVerdict.setting != nil {
                switch settingLets(operation) {
                case .needs(let write): return .needs(write)
                case .decided(false): return .decided(false)
                case .decided(true): break
                }
            }
        }
        if let step = advanceRevocationRule(&inquiry) { return step }
        var before = inquiry.revocations?.count ?? 0
        guard history.records[operation].isJoin, let invite = history.records[operation].invite else {
            return .decided(true)
        }
        for others in [history.endings[invite] ?? [], findings.joins(byCodeOf: invite, in: history)] {
            while inquiry.seen < before + others.count {
                let other = others[inquiry.seen - before]
                if findings.verdicts[other] != false, includes(other), history.mayVoid(other, join: operation) {
                    guard let verdict = findings.verdicts[other] else { return .needs(other) }
                    if verdict { return .decided(false) }
                }
                inquiry.seen += 1
            }
            before += others.count
        }
        return .decided(true)
    }
}
