import ReplicatedTypes

extension MembershipResolver {
    /// Judges what came since it was last settled and what that changed, and brings the state up to date.
    ///
    /// Whoever asks more than one question settles first: what is asked of a resolver that is not settled is found out in a copy, and lost.
    ///
    /// - Complexity: O(*r*) for each operation in doubt, in what was taken from the person under whose authority it is, and O(*g*) for each
    ///   person concerned, in what is left to them.
    public mutating func settle() {
        guard !unsettled.isEmpty else { return }
        let judged = unsettled.filter { current.history.records[$0].objection == nil }
        for operation in unsettled { _ = current.isEffective(operation) }
        unsettled = []
        var concerned: Set<Int> = []
        for operation in judged {
            for revocation in current.history.records[operation].revocations { concerned.insert(revocation.target) }
        }
        for operation in judged { place(holdersOfGrantsBy: operation, besides: &concerned) }
        for person in concerned { place(person) }
        write(judged)
    }

    /// The same, with everything judged.
    var settled: MembershipResolver {
        var settled = self
        settled.settle()
        return settled
    }

    /// Puts those where they belong now to whom an operation grants something, unless more than one grant more changes for them.
    private mutating func place(holdersOfGrantsBy operation: Int, besides concerned: inout Set<Int>) {
        for grant in current.history.records[operation].grants {
            let holder = current.history.grants[grant].holder
            if concerned.contains(holder) { continue }
            guard current.counts(operation) else {
                if roster[holder] != nil { concerned.insert(holder) }
                continue
            }
            // The usual case: one more live grant.
            let standing = current.standing(roster[holder], with: grant)
            roster.place(holder, standing, seniority: standing.map { current.seniority(of: $0.grant) })
        }
    }

    /// Puts a person where what is left to them says.
    private mutating func place(_ person: Int) {
        var standing: Standing?
        for grant in current.liveGrants(of: person) { standing = current.standing(standing, with: grant) }
        roster.place(person, standing, seniority: standing.map { current.seniority(of: $0.grant) })
    }

    /// Brings the registers up to date that some operations write.
    private mutating func write(_ operations: some Sequence<Int>) {
        var withdrawn: Set<String> = []
        for operation in operations {
            guard case .set(let field, _) = current.history.records[operation].deed else { continue }
            if current.counts(operation) {
                registers[field, default: LastWriterWinsRegister()]
                    .write(operation, at: current.history.stamp(of: operation))
            } else {
                withdrawn.insert(field)
            }
        }
        for field in withdrawn {
            var register = LastWriterWinsRegister<Int, RegisterStamp>()
            for write in writes[field] ?? [] where current.counts(write) {
                register.write(write, at: current.history.stamp(of: write))
            }
            registers[field] = register
        }
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
        unsettled = Set(current.history.records.indices)
        settle()
    }
}
