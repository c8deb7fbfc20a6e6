import OperationLog

/// Finds content operations in a dictionary.
public final class MemoryIndex: OperationIndex {
    private var placements: [OperationID: Placement] = [:]

    /// Holds nothing.
    public init() {}

    /// Holds what was admitted to a content lane.
    public func insert(_ admitted: [AdmittedOperation]) {
        for entry in admitted {
            let header = entry.operation.header
            placements[entry.operation.id] = Placement(
                id: entry.operation.id, device: header.device, sequenceNumber: header.sequenceNumber,
                effectiveTime: entry.effectiveTime, membershipHeads: header.membershipHeads)
        }
    }

    /// Where an operation stands.
    public func placement(of id: OperationID) -> Placement? { placements[id] }
}
