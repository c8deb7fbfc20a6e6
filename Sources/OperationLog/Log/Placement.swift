/// The position of an admitted content operation: what judging a later operation needs to know of it.
public struct Placement: Hashable, Sendable {
    /// The operation.
    public let id: OperationID
    /// Whose chain it is in.
    public let device: DeviceID
    /// Its place in that chain.
    public let sequenceNumber: UInt64
    /// The time by which it is ordered, in milliseconds since 1970: its claimed time, lifted above its parents'.
    public let hybridTime: Int64
    /// The membership it was written under.
    public let membershipHeads: [OperationID]

    /// Describes an admitted operation.
    public init(
        id: OperationID, device: DeviceID, sequenceNumber: UInt64, hybridTime: Int64, membershipHeads: [OperationID]
    ) {
        self.id = id
        self.device = device
        self.sequenceNumber = sequenceNumber
        self.hybridTime = hybridTime
        self.membershipHeads = membershipHeads
    }

    /// Describes an operation that was admitted, or is stored.
    public init(_ operation: Operation, hybridTime: Int64) {
        self.init(
            id: operation.id, device: operation.author.id, sequenceNumber: operation.header.sequenceNumber,
            hybridTime: hybridTime, membershipHeads: operation.header.membershipHeads)
    }
}

/// Finds content operations of one conversation that a replica admitted earlier; a database in the node, a dictionary
/// in tests.
public protocol OperationIndex {
    /// The position of an operation, or nil if the replica does not hold it.
    ///
    /// - Throws: what the storage throws; admission then changes nothing.
    func placement(of id: OperationID) throws -> Placement?
}
