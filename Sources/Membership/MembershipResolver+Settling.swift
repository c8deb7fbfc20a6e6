import ReplicatedTypes

extension MembershipResolver {
    /// Judges what came since it was last settled and what that changed, and brings the state up to date.
    ///
    /// Settle before you ask several questions: an unsettled resolver evaluates each question in a copy and discards
    /// the result.
    ///
    /// - Complexity: O(*r*) for each operation in doubt, in what was taken from the person under whose authority it is,
    ///   and O(*g*) for each person concerned, in what is left to them.
    public mutating func settle() {
        guard !unsettled.isEmpty else { return }
        let judged = roster.settle(unsettled, in: &current)
        unsettled = []
        settledCount = current.history.records.count
        write(judged)
    }

    /// The same, and says of which operations something else may be said than before.
    ///
    /// A caller that caches verdicts needs to refresh only these.
    ///
    /// - Returns: the operations that came since the resolver was last settled, those whose verdict may have changed,
    ///   and those that may be void for another reason; in the order in which they came.
    /// - Complexity: as ``settle()``, and O(1) for each act of those from whom something was taken that is void.
    public mutating func settleReportingChanges() -> [ID] {
        let (judged, known) = (unsettled, settledCount)
        settle()
        return judged.union(voidOperations(restingOn: judged, amongFirst: known)).sorted().map {
            directory.operations[$0]
        }
    }

    /// The void operations whose reason may be, or may have been, one of the operations just evaluated.
    ///
    /// - Parameter known: how many operations were settled before: what is new is asked about anyway.
    private func voidOperations(restingOn judged: Set<OperationNumber>, amongFirst known: Int) -> Set<OperationNumber> {
        let history = current.history
        var found: Set<OperationNumber> = []
        var acts = Unvisited<OperationNumber>()
        func isVoidByOthers(_ operation: OperationNumber) -> Bool {
            operation.place < known && !current.counts(operation) && history.records[operation].voidReason == nil
        }
        // What is new and void was no reason before, and is none now.
        for operation in judged where operation.place < known || current.counts(operation) {
            for dependent in history.dependents[operation] where isVoidByOthers(dependent) { found.insert(dependent) }
            for addition in history.memberAdditions(after: operation) where isVoidByOthers(addition) {
                found.insert(addition)
            }
            found.formUnion(
                history.operations(
                    threatenedBy: operation, isNew: operation.place >= known, among: &acts, where: isVoidByOthers))
            if let device = history.deviceRevoked(by: operation) {
                for written in history.devices.writtenOn[device] where isVoidByOthers(written) { found.insert(written) }
            }
            let rivals = history.invite(joinedByCodeIn: operation).flatMap { history.codeJoins[$0] } ?? []
            history.forEachJoin(threatenedBy: operation, among: rivals, where: isVoidByOthers) { found.insert($0) }
        }
        return found
    }

    /// The same, with everything judged.
    var settled: MembershipResolver {
        var settled = self
        settled.settle()
        return settled
    }

    /// Brings the registers up to date that some operations write.
    private mutating func write(_ operations: some Sequence<OperationNumber>) {
        var withdrawn: Set<RegisterName> = []
        for operation in operations {
            guard case .set(let field, _) = current.history.records[operation].action else { continue }
            if current.counts(operation) {
                registers[RegisterName(field), default: LastWriterWinsRegister()]
                    .write(operation, at: current.history.stamp(of: operation))
            } else {
                withdrawn.insert(RegisterName(field))
            }
        }
        for field in withdrawn {
            var register = LastWriterWinsRegister<OperationNumber, RegisterStamp>()
            for write in writes[field] ?? [] where current.counts(write) {
                register.write(write, at: current.history.stamp(of: write))
            }
            registers[field] = register
        }
    }
}

// MARK: - Placing people

extension Roster {
    /// Judges some operations of a scope, and puts everybody where they belong for whom that changes something.
    ///
    /// - Parameter unsettled: what is new in the scope, and what may count otherwise than before.
    /// - Returns: those of them that are not void by their own past.
    mutating func settle(_ unsettled: Set<OperationNumber>, in scope: inout Evaluation) -> Set<OperationNumber> {
        let judged = unsettled.filter { scope.history.records[$0].voidReason == nil }
        for operation in unsettled { _ = scope.isEffective(operation) }
        var concerned: Set<PersonNumber> = []
        for operation in judged {
            for revocation in scope.history.revocations(of: operation) { concerned.insert(revocation.target) }
        }
        for person in concerned { scope.findings.leaveOutVoidRevocations(of: person, in: scope.history) }
        for operation in judged { place(holdersOfGrantsBy: operation, besides: &concerned, in: &scope) }
        for person in concerned { place(person, in: &scope) }
        return judged
    }

    /// Moves the people to whom an operation makes grants to their new position in the roster. People for whom more
    /// than one grant changes are added to `concerned` instead.
    private mutating func place(
        holdersOfGrantsBy operation: OperationNumber, besides concerned: inout Set<PersonNumber>,
        in scope: inout Evaluation
    ) {
        for grant in scope.history.records[operation].grants {
            let holder = scope.history.grants[grant].holder
            if concerned.contains(holder) { continue }
            guard scope.counts(operation) else {
                if self[holder] != nil { concerned.insert(holder) }
                continue
            }
            // The usual case: one more live grant.
            let standing = scope.standing(self[holder], with: grant)
            place(holder, standing, seniority: standing.map { scope.seniority(of: $0.grant) })
        }
    }

    /// Puts a person where what is left to them says.
    private mutating func place(_ person: PersonNumber, in scope: inout Evaluation) {
        var standing: RosterPosition?
        for grant in scope.liveGrants(of: person) { standing = scope.standing(standing, with: grant) }
        place(person, standing, seniority: standing.map { scope.seniority(of: $0.grant) })
    }
}

// MARK: - Evaluating in full

extension MembershipResolver {
    /// Judges a whole graph at once: each operation by its own past, then all verdicts, then the state.
    ///
    /// - Precondition: the creation comes first, every other operation after its parents, which it has, and none twice.
    /// - Complexity: what of each author's view is asked for; then O(*n* · *r*) in the revocations of each author.
    public init(
        evaluating operations: some Sequence<MembershipOperation<ID, Person, Device>>, capacity: Int = 256,
        tieBreaker: @escaping @Sendable (Person) -> TieBreaker
    ) {
        self.init(capacity: capacity, tieBreaker: tieBreaker)
        for operation in operations {
            precondition(
                directory.number(of: operation.id) == nil
                    && operation.parents.allSatisfy { directory.number(of: $0) != nil }
                    && (!operation.parents.isEmpty || current.history.records.isEmpty && operation.action == .create),
                "operations come once, after their parents, and first the creation")
            let number = append(operation)
            evaluatePast(of: number, followsAllHeads: false)
            current.findings.take(number, in: current.history)
        }
        unsettled = Set(current.history.records.indices)
        settle()
    }
}
