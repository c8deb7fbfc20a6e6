/// The verdicts in a causally closed set of operations, found as far as they are asked for.
///
/// An operation counts when its own past holds nothing against it, what it depends on counts, and nothing that threatens it does.
/// All that a verdict rests on ranks strictly higher, so no verdict rests on itself and there is one answer: the perfect model of a
/// stratified program (Apt, Blair and Walker, "Towards a Theory of Declarative Knowledge", 1988).
///
/// What counts in the past of an operation is its author's view; the rules call it State(past).
///
/// The words: an operation acts under its *authority*, a grant; its *warrant* is the grant that must still be live for it to count, which for a
/// join is the inviter's; its *supports* are the operations that must count for it to count; its *threats* are those that must not; supports
/// and threats are its *grounds*.
struct Evaluation: Sendable {
    var history: History
    var findings: Findings

    init(_ history: History, _ findings: Findings) {
        self.history = history
        self.findings = findings
        grow()
    }

    var scope: OperationSet { findings.scope }

    func includes(_ operation: Int) -> Bool { findings.scope.contains(operation) }

    /// Makes room for operations that were put into the history.
    mutating func grow() { findings.grow(operations: history.records.count) }

    /// Whether an operation of the scope counts.
    mutating func isEffective(_ operation: Int) -> Bool {
        if let known = findings.verdicts[operation] { return known }
        settle(operation)
        return counts(operation)
    }

    /// The verdict on something that was judged.
    func counts(_ operation: Int) -> Bool {
        guard let verdict = findings.verdicts[operation] else {
            preconditionFailure("a verdict rests on operations of strictly higher rank only")
        }
        return verdict
    }

    /// Judges an operation that has seen all of the scope, if what is left of its authority is known: nothing else decides about it, and
    /// nothing reaches what it grants.
    mutating func judgeOnTop(_ operation: Int) {
        let record = history.records[operation]
        guard record.objection == nil, !record.isJoin, !record.isActing, record.pastVerdict.setting == nil,
            let warrant = record.warrant, let remaining = findings.remainingRoles[warrant.grant]
        else { return }
        let counts = remaining.suffices(for: warrant.need)
        findings.verdicts[operation] = counts
        for grant in record.grants {
            let (holder, role) = (history.grants[grant].holder, history.grants[grant].role)
            findings.remainingRoles.note(counts ? RemainingRole(role) : .gone, leftOf: grant, of: holder)
        }
    }

    /// What is left of a grant; nothing if the operation that made it is void or outside the scope.
    ///
    /// - Complexity: O(*r*) in what was taken away from its holder, once.
    mutating func remainingRole(of grant: Int) -> RemainingRole {
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
private struct Inquiry {
    let operation: Int
    /// The grounds that were looked at already, and decide nothing.
    var seen = 0
}

private enum Step {
    case decided(Bool)
    /// Another verdict is needed first.
    case needs(Int)
}

extension Evaluation {
    /// Judges an operation and as much of what its verdict rests on as decides about it.
    ///
    /// The way back is kept in an array and not on the stack: what depends on what may be as long as the lane.
    private mutating func settle(_ wanted: Int) {
        var open = [Inquiry(operation: wanted)]
        while var inquiry = open.popLast() {
            switch advance(&inquiry) {
            case .decided(let verdict): findings.verdicts[inquiry.operation] = verdict
            case .needs(let other):
                open.append(inquiry)
                open.append(Inquiry(operation: other))
            }
        }
    }

    /// Judges an operation if all that its verdict rests on is known.
    mutating func judgeByWhatIsKnown(_ operation: Int) {
        var inquiry = Inquiry(operation: operation)
        if case .decided(let verdict) = advance(&inquiry) { findings.verdicts[operation] = verdict }
    }

    private mutating func advance(_ inquiry: inout Inquiry) -> Step {
        let operation = inquiry.operation
        guard history.records[operation].objection == nil else { return .decided(false) }
        if inquiry.seen == 0 {
            for support in history.supports(of: operation) {
                guard let verdict = findings.verdicts[support] else { return .needs(support) }
                guard verdict else { return .decided(false) }
            }
        }
        var before = 0
        if let warrant = history.records[operation].warrant {
            let holder = history.grants[warrant.grant].holder
            before = history.revocationsOf[holder].count
            while inquiry.seen < before {
                let revoking = history.revocationsOf[holder][inquiry.seen].operation
                // What is known not to count need not be looked at.
                if findings.verdicts[revoking] != false, includes(revoking),
                    history.concerns(history.revocationsOf[holder][inquiry.seen], operation),
                    history.reaches(history.revocationsOf[holder][inquiry.seen], warrant.grant)
                {
                    guard let verdict = findings.verdicts[revoking] else { return .needs(revoking) }
                    if verdict { return .decided(false) }
                }
                inquiry.seen += 1
            }
        }
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
