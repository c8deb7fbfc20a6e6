extension Evaluation {
    /// A group is created once, by the operation that everything else comes after: the first in every graph.
    func creationObjection(to operation: OperationNumber) -> VoidReason<OperationNumber>? {
        operation == .creation ? nil : VoidReason(.notTheRoot)
    }
}
