import OperationLog

/// A conversation the replica knows of.
public struct ConversationRecord: Hashable, Sendable {
    /// The conversation.
    public let id: ConversationID
    /// Group or direct.
    public let root: ConversationRoot

    /// Names a conversation.
    public init(id: ConversationID, root: ConversationRoot) {
        self.id = id
        self.root = root
    }
}
