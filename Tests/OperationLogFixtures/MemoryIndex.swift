import OperationLog

/// Finds content operations in a dictionary.
public final class MemoryIndex: OperationIndex {
    private var placements: [OperationID: Placement] = [:]

    /// Holds nothing.
    public init() {}

    /// Holds what was admitted to a content lane.
    public func insert(_ admitted: [AdmittedOperation]) {
        for entry in admitted {
            placements[entry.operation.id] = Placement(entry.operation, hybridTime: entry.hybridTime)
        }
    }

    /// Where an operation stands.
    public func placement(of id: OperationID) -> Placement? { placements[id] }
}

extension ConversationLog {
    /// Judges a batch of a group in which everybody who was ever introduced is a member.
    @discardableResult
    public mutating func admit(_ batch: Batch, using index: some OperationIndex) throws -> Admission {
        try admit(batch, using: index) { _, _ in true }
    }
}
