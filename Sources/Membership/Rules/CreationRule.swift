extension Evaluation {
    /// A group is created once, by the operation that everything else comes after: the first in every graph.
    func creationObjection(to operation: Int) -> Objection<Int>? {
        operation == 0 ? nil : Objection(.notTheRoot)
    }
}
