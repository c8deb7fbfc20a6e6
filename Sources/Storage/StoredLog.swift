import OperationLog

/// What a ``ConversationLog`` needs to go on where it was: pass the parts to its `restore`.
public struct StoredLog: Sendable {
    /// The membership lane, each operation after its parents.
    public let membership: [Operation]
    /// The chains of the content lane.
    public let contentFrontier: Frontier
    /// The heads of the content lane.
    public let contentHeads: [Placement]

    /// Puts the parts together.
    public init(membership: [Operation], contentFrontier: Frontier, contentHeads: [Placement]) {
        self.membership = membership
        self.contentFrontier = contentFrontier
        self.contentHeads = contentHeads
    }
}
