import OperationLog

/// Finds content operations in a dictionary.
public final class MemoryIndex: OperationIndex {
    private var placements: [OperationID: Placement] = [:]

    /// Holds nothing.
    public init() {}

    /// Holds what was admitted to a content lane.
    public func insert(_ admitted: [AdmittedOperation]) {
        for entry in admitted {
            placements[entry.operation.id] = Placement(entry.operation, effectiveTime: entry.effectiveTime)
        }
    }

    /// Where an operation stands.
    public func placement(of id: OperationID) -> Placement? { placements[id] }
}
