/// What was found so far about the operations of one causally closed set.
struct Findings: Sendable {
    /// The operations judged; with an operation its past.
    private(set) var scope: OperationSet
    /// Whether each operation counts, by number; nil where it was not asked for.
    var verdicts: [Bool?] = []
    /// What is left of each grant; nil where it was not asked for.
    var levels: Levels
    /// For grants acted under, the revocations that reach them and are in the scope, whether they count or not.
    var reaching: [Int: [Revocation]] = [:]
    /// Who acts as admin; nil where it was not asked for.
    var acting: Int??

    /// Begins with nothing found.
    ///
    /// - Parameter isWhole: whether the scope is everything there is, and all of it is going to be asked for.
    init(within scope: OperationSet, isWhole: Bool = false) {
        self.scope = scope
        levels = isWhole ? .all([]) : .some([:])
    }

    /// Makes room for operations that were put into the history.
    mutating func grow(operations: Int) {
        if verdicts.count < operations {
            verdicts.append(contentsOf: repeatElement(nil, count: operations - verdicts.count))
        }
    }

    /// Takes an operation into the scope, of which its past is part.
    mutating func include(_ operation: Int) { scope.insert(operation) }
}
