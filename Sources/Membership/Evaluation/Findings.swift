/// What was found so far about the operations of one causally closed set.
struct Findings: Sendable {
    /// The operations judged; with an operation its past.
    private(set) var scope: OperationSet
    /// How many they are.
    private(set) var count: Int
    /// Whether each operation counts, by number; nil where it was not asked for.
    var verdicts: [Bool?] = []
    /// What is left of the grants.
    var levels = Levels()
    /// Who acts as admin; nil where it was not asked for.
    var acting: Int??

    /// Begins with nothing found.
    init(within scope: OperationSet) {
        self.scope = scope
        count = scope.count
    }

    /// Makes room for operations that were put into the history.
    mutating func grow(operations: Int) {
        if verdicts.count < operations {
            verdicts.append(contentsOf: repeatElement(nil, count: operations - verdicts.count))
        }
    }

    /// Takes an operation into the scope, of which its past is part.
    mutating func include(_ operation: Int) {
        scope.insert(operation)
        count += 1
    }
}
