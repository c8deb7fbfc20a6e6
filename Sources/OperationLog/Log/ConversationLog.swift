import Cryptography

/// What makes a conversation the one it is.
public enum ConversationRoot: Hashable, Sendable {
    /// A group, begun by a `create` whose id is the conversation's.
    case group
    /// A direct conversation of two users, in ascending order; it has no creation, and both are members forever.
    case direct(UserID, UserID)
}

/// Both lanes of one conversation, as far as deciding about admission needs them.
///
/// The membership lane is held whole; of the content lane the frontier and the heads, the rest being found through an
/// ``OperationIndex``. The log is a value: change a copy, commit what was admitted to disk, then keep the copy. So a
/// failed commit leaves nothing half-applied.
public struct ConversationLog: Sendable {
    /// The conversation.
    public let conversation: ConversationID
    /// Group or direct.
    public let root: ConversationRoot
    /// The membership lane.
    public internal(set) var membership = MembershipGraph()
    /// The chains of the membership lane.
    public internal(set) var membershipFrontier = Frontier()
    /// The chains of the content lane.
    public internal(set) var contentFrontier = Frontier()
    /// The content operations that nothing admitted depends on, ascending by id.
    public internal(set) var contentHeads: [Placement] = []

    /// What is introduced by the body of a membership operation; throws if the body is malformed.
    let introductions: @Sendable (Operation) throws(MalformedBytes) -> MembershipGraph.Introductions

    /// Begins an empty log.
    ///
    /// - Parameter introductions: reads the body of a membership operation of known type; the log itself knows no
    ///   bodies.
    public init(
        conversation: ConversationID, root: ConversationRoot,
        introductions: @escaping @Sendable (Operation) throws(MalformedBytes) -> MembershipGraph.Introductions
    ) {
        self.conversation = conversation
        self.root = root
        self.introductions = introductions
    }

    /// Takes up what a store kept.
    ///
    /// - Parameters:
    ///   - membership: the whole lane, each operation after its parents.
    ///   - contentFrontier: the tips of the content chains.
    ///   - contentHeads: the heads of the content lane.
    ///   - introductions: reads a body of the lane that was verified when it was admitted.
    /// - Throws: ``MalformedBytes`` if a stored body is damaged.
    public mutating func restore(
        membership operations: [Operation], contentFrontier: Frontier, contentHeads: [Placement],
        introducing introductions: (Operation) throws(MalformedBytes) -> MembershipGraph.Introductions
    ) throws(MalformedBytes) {
        for operation in operations { insert(membership: operation, introducing: try introductions(operation)) }
        self.contentFrontier = contentFrontier
        self.contentHeads = contentHeads.sorted { $0.id < $1.id }
    }

    /// The chains of a lane.
    public func frontier(of lane: Lane) -> Frontier {
        switch lane {
        case .membership: membershipFrontier
        case .content: contentFrontier
        }
    }

    mutating func insert(membership operation: Operation, introducing introductions: MembershipGraph.Introductions) {
        membership.append(operation, introducing: introductions)
        membershipFrontier.append(
            ChainTip(sequenceNumber: operation.header.sequenceNumber, id: operation.id),
            after: operation.header.previous, of: operation.author.id)
    }

    mutating func insert(content placement: Placement, after parents: [OperationID], previous: OperationID?) {
        contentFrontier.append(
            ChainTip(sequenceNumber: placement.sequenceNumber, id: placement.id), after: previous, of: placement.device)
        for parent in parents {
            if let place = contentHead(parent) { contentHeads.remove(at: place) }
        }
        contentHeads.insert(placement, at: contentHeads.insertionIndex { $0.id < placement.id })
    }

    /// Whether nothing admitted depends on a content operation.
    ///
    /// - Complexity: O(log *h*) in the heads.
    public func isContentHead(_ id: OperationID) -> Bool { contentHead(id) != nil }

    /// The index of an operation among the heads of the content lane; nil if it is none.
    func contentHead(_ id: OperationID) -> Int? {
        let place = contentHeads.insertionIndex { $0.id < id }
        return place < contentHeads.count && contentHeads[place].id == id ? place : nil
    }
}
