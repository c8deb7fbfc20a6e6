/// What a peer holds of one chain.
public enum KnownChain: Hashable, Sendable {
    /// Everything through a sequence number.
    case through(UInt64)
    /// These operations and what precedes them on their branches: says it exactly where the device forked its chain.
    case branches([OperationID])

    /// The ends that are known by name.
    public var ends: [OperationID] {
        switch self {
        case .through: []
        case .branches(let ends): ends
        }
    }
}
