import Membership

/// A graph that is judged in several ways, to find a law that does not hold for it.
struct Trial {
    typealias Operation = Ledger.Operation

    let ledger: Ledger
    let capacity: Int
    /// Decides what a law chooses at random.
    let seed: UInt64
    /// What has taken in the operations one after the other.
    let resolver: MembershipResolver<String, String, String>
    /// Which earlier operations counted no more, or again, when each one had come.
    let changed: [Set<String>]
    /// What is said in the end.
    let judgment: Judgment

    init(_ operations: [Operation], capacity: Int, seed: UInt64) {
        ledger = Ledger(operations)
        self.capacity = capacity
        self.seed = seed
        var resolver = Self.resolver(after: [], capacity: capacity)
        var void: Set<String> = []
        var changed: [Set<String>] = []
        for operation in operations {
            resolver.insert(operation)
            resolver.settle()
            let now = Set(resolver.void)
            changed.append(now.symmetricDifference(void).subtracting([operation.id]))
            void = now
        }
        self.resolver = resolver
        self.changed = changed
        judgment = Judgment(resolver, of: operations)
    }

    var operations: [Operation] { ledger.operations }

    /// A resolver without operations.
    var empty: MembershipResolver<String, String, String> { Self.resolver(after: [], capacity: capacity) }

    /// Whether an operation counts.
    func isEffective(_ number: Int) -> Bool { judgment.verdicts[number] == .effective }

    /// A full evaluation of the first operations.
    func full(ofFirst count: Int) -> MembershipResolver<String, String, String> {
        MembershipResolver(evaluating: operations.prefix(count), capacity: capacity, tieBreaker: Judgment.tieBreaker)
    }

    /// What has taken in operations one after the other, and has not been asked about any.
    static func resolver(after operations: [Operation], capacity: Int) -> MembershipResolver<String, String, String> {
        var resolver = MembershipResolver<String, String, String>(capacity: capacity, tieBreaker: Judgment.tieBreaker)
        for operation in operations { resolver.insert(operation) }
        return resolver
    }

    /// What is wrong, and by which law; nil if all hold.
    func trouble(under laws: [Law]) -> String? {
        for law in laws {
            if let trouble = trouble(under: law) { return "\(law): \(trouble)" }
        }
        return nil
    }

    private func trouble(under law: Law) -> String? {
        switch law {
        case .incrementalEqualsFull:
            judgment == Judgment(full(ofFirst: operations.count), of: operations)
                ? nil : "the evaluations differ in the end"
        case .alwaysEqualsFull: differenceOnTheWay
        case .anyOrder: disorder
        case .nonInterference: interference
        case .devicesFall: misjudgedDevice
        case .granterOutranks: insubordination
        case .removalTakes: survivor
        case .setsAgree: contradiction
        case .partsStandAlone: dependence
        case .proofsSuffice: insufficiency
        case .changesAreNamed: silence
        case .refusal: carelessness
        case .copies: entanglement
        }
    }
}
