import ReplicatedTypes

extension MembershipResolver {
    /// Whether an operation is void, given the verdicts on its grounds.
    private func isVoid(_ operation: Int) -> Bool {
        guard current.history.records[operation].objection == nil else { return true }
        if current.history.supports(of: operation).contains(where: { !current.counts($0) }) { return true }
        if threat(to: operation) != nil { return true }
        let history = current.history
        guard history.records[operation].isJoin, let invite = history.records[operation].invite else { return false }
        // Verdicts are looked at first: of many who use one code hardly any counts.
        func voids(_ other: Int) -> Bool {
            current.findings.verdicts[other] == true && history.mayVoid(other, join: operation)
        }
        return history.endings[invite]?.contains(where: voids) ?? false
            || history.codeJoins[invite]?.contains(where: voids) ?? false
    }

    /// The earliest revocation that counts and voids an operation.
    func threat(to operation: Int) -> Revocation? {
        guard let warrant = current.history.records[operation].warrant else { return nil }
        return holdings.revocations[current.history.grants[warrant.grant].holder].first {
            current.history.concerns($0, operation) && current.history.reaches($0, warrant.grant)
        }
    }

    /// Judges a new operation and everything whose verdict it changes, and brings the state up to date.
    mutating func settle(_ operation: Int, isOnTop: Bool) {
        decide(operation, counts: !isVoidOnArrival(operation, isOnTop: isOnTop))
        // What has seen everything voids nothing.
        let changed = current.counts(operation) && !isOnTop ? overturned(by: operation) : []
        apply(changed + [operation])
    }

    /// Whether a new operation is void. Where it has seen all there is, what is left of its authority says whether that was revoked.
    private func isVoidOnArrival(_ operation: Int, isOnTop: Bool) -> Bool {
        let record = current.history.records[operation]
        guard isOnTop, record.objection == nil, !record.isJoin, !record.isActing, let warrant = record.warrant,
            let level = current.findings.levels[warrant.grant]
        else { return isVoid(operation) }
        return !level.suffices(for: warrant.need) || record.hindsight.setting.map { !current.counts($0) } ?? false
    }

    private mutating func decide(_ operation: Int, counts: Bool) {
        let counted = current.findings.verdicts[operation] ?? false
        current.findings.verdicts[operation] = counts
        guard counts != counted else { return }
        for revocation in current.history.records[operation].revocations {
            holdings.note(revocation, counts: counts, in: current.history)
        }
    }

    /// The earlier operations that change their verdict because of a new one that counts.
    ///
    /// In the order of rank: when an operation is judged, the verdicts on all that outranks it are final.
    private mutating func overturned(by operation: Int) -> [Int] {
        var queue = RankQueue()
        var changed: [Int] = []
        enqueueDependents(of: operation, &queue)
        while let next = queue.popHighest() {
            let counts = !isVoid(next)
            guard counts != current.counts(next) else { continue }
            decide(next, counts: counts)
            changed.append(next)
            enqueueDependents(of: next, &queue)
        }
        return changed
    }

    /// Enqueues what may change its verdict because an operation has a new one.
    private func enqueueDependents(of operation: Int, _ queue: inout RankQueue) {
        let history = current.history
        let counts = current.counts(operation)
        func enqueue(_ dependent: Int, from verdict: Bool) {
            // What is void stays void under one more threat, and what counts under one less.
            guard current.counts(dependent) == verdict, let rank = history.records[dependent].stratum else { return }
            queue.insert(dependent, rank)
        }
        for dependent in history.supportedBy[operation] { enqueue(dependent, from: !counts) }
        let verdicts = current.findings.verdicts
        history.forEachOperation(
            threatenedBy: operation, among: { verdicts[$0] == counts }, { enqueue($0, from: counts) })
        if !counts, let winner = winner(over: operation) {
            // Who lost to somebody weightier is void still when the weightiest of those whom that one beat is.
            for grant in history.grantsOf[history.records[winner].author] {
                let join = history.grants[grant].operation
                guard verdicts[join] == counts, history.mayVoid(operation, join: join) else { continue }
                enqueue(join, from: counts)
            }
            return
        }
        history.forEachJoin(
            threatenedBy: operation, among: { verdicts[$0] == counts }, { enqueue($0, from: counts) })
    }

    /// The weightiest join that counts and used up the code of another one.
    private func winner(over operation: Int) -> Int? {
        guard current.history.records[operation].isJoin, let invite = current.history.records[operation].invite else {
            return nil
        }
        return current.history.codeJoins[invite]?.first {
            current.findings.verdicts[$0] == true && current.history.mayVoid($0, join: operation)
        }
    }
}

// MARK: - The state

extension MembershipResolver {
    /// Brings the state up to date with operations that are new or whose verdicts changed.
    private mutating func apply(_ operations: [Int]) {
        var touched: Set<Int> = []
        for operation in operations {
            let record = current.history.records[operation]
            if !record.grants.isEmpty || !record.revocations.isEmpty { forgetActingAdmin() }
            for revocation in record.revocations { take(revocation, &touched) }
        }
        for operation in operations {
            for grant in current.history.records[operation].grants { give(grant, &touched) }
            guard case .set(let field, _) = current.history.records[operation].deed else { continue }
            if operations.count > 1 {
                rewrite(field)
            } else if current.counts(operation) {
                registers[field, default: LastWriterWinsRegister()]
                    .write(operation, at: current.history.stamp(of: operation))
            }
        }
        for person in touched { place(person) }
    }

    private mutating func forgetActingAdmin() {
        current.findings.acting = nil
    }

    /// Finds what is left of the grants of a person after the verdict on a revocation changed.
    private mutating func take(_ revocation: Revocation, _ touched: inout Set<Int>) {
        if current.counts(revocation.operation) {
            for grant in holdings.live[revocation.target] {
                guard let level = current.findings.levels[grant], level > revocation.floor,
                    current.history.reaches(revocation, grant)
                else { continue }
                change(grant, to: revocation.floor, &touched)
            }
        } else {
            // Only what had sunk to its floor can rise.
            for grant in current.history.grantsOf[revocation.target]
            where current.findings.levels[grant] == revocation.floor
                && current.findings.verdicts[current.history.grants[grant].operation] == true
                && current.history.reaches(revocation, grant)
            {
                change(grant, to: level(of: grant), &touched)
            }
        }
    }

    /// Finds what is left of a grant after the verdict on the operation that makes it changed.
    private mutating func give(_ grant: Int, _ touched: inout Set<Int>) {
        let level = current.counts(current.history.grants[grant].operation) ? level(of: grant) : .gone
        let holder = current.history.grants[grant].holder
        guard level > .gone, (current.findings.levels[grant] ?? .gone) == .gone, !touched.contains(holder) else {
            change(grant, to: level, &touched)
            return
        }
        // The usual case: one more live grant.
        current.findings.levels.note(level, leftOf: grant, of: holder)
        holdings.add(grant, of: holder)
        let standing = current.standing(roster[holder], with: grant)
        roster.place(holder, standing, seniority: standing.map { current.seniority(of: $0.grant) })
    }

    private mutating func change(_ grant: Int, to level: Level, _ touched: inout Set<Int>) {
        let old = current.findings.levels[grant] ?? .gone
        let holder = current.history.grants[grant].holder
        current.findings.levels.note(level, leftOf: grant, of: holder)
        guard old != level else { return }
        touched.insert(holder)
        if old == .gone { holdings.add(grant, of: holder) }
        if level == .gone { holdings.drop(grant, of: holder) }
    }

    /// What is left of a grant that counts.
    private func level(of grant: Int) -> Level {
        let (holder, maker) = (current.history.grants[grant].holder, current.history.grants[grant].operation)
        var level = Level(current.history.grants[grant].tier)
        // What has seen everything is reached by nothing; a join is as old as its invite.
        if current.history.heads.count == 1, maker == current.history.records.count - 1,
            !current.history.records[maker].isJoin
        {
            return level
        }
        for revocation in holdings.revocations[holder].reversed() where revocation.floor < level {
            guard current.history.reaches(revocation, grant) else { continue }
            level = revocation.floor
            if level <= current.history.lowestFloorOf[holder] { break }
        }
        return level
    }

    /// Puts a person where what is left to them says.
    private mutating func place(_ person: Int) {
        var standing: Standing?
        for grant in holdings.live[person] { standing = current.standing(standing, with: grant) }
        roster.place(person, standing, seniority: standing.map { current.seniority(of: $0.grant) })
    }

    private mutating func rewrite(_ field: String) {
        var register = LastWriterWinsRegister<Int, RegisterStamp>()
        for write in writes[field] ?? [] where current.counts(write) {
            register.write(write, at: current.history.stamp(of: write))
        }
        registers[field] = register
    }
}

// MARK: - Evaluating in full

extension MembershipResolver {
    /// Judges a whole graph at once: each operation by its own past, then all verdicts, then the state.
    ///
    /// - Precondition: the creation comes first, every other operation after its parents, which it has, and none twice.
    /// - Complexity: what of each author's view is asked for; then O(*n* · *r*) in the revocations of each author.
    public init(
        evaluating operations: some Sequence<MembershipOperation<ID, Person>>, capacity: Int = 256,
        tieKey: @escaping @Sendable (Person) -> TieKey
    ) {
        self.init(capacity: capacity, tieKey: tieKey)
        for operation in operations {
            precondition(
                directory.number(of: operation.id) == nil
                    && operation.parents.allSatisfy { directory.number(of: $0) != nil }
                    && (!operation.parents.isEmpty || current.history.records.isEmpty && operation.action == .create),
                "operations come once, after their parents, and first the creation")
            let number = append(operation)
            look(atPastOf: number, isOnTop: false)
            current.findings.include(number)
        }
        current.settleEverything()
        for record in current.history.records.indices where current.counts(record) {
            for revocation in current.history.records[record].revocations {
                holdings.note(revocation, counts: true, in: current.history)
            }
        }
        for grant in current.history.grants.indices where current.level(of: grant) > .gone {
            holdings.add(grant, of: current.history.grants[grant].holder)
        }
        for person in current.history.people.indices { place(person) }
        for field in writes.keys { rewrite(field) }
    }
}
