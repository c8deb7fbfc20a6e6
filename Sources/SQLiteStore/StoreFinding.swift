import OperationLog

/// Something in a database that is not as it was written.
public struct StoreFinding: Hashable, Sendable {
    /// What it is about.
    public enum Part: String, Hashable, Sendable, CaseIterable {
        /// A page of the file, or an index over its rows.
        case database
        /// The header or the body of an operation: its name is a hash over both.
        case operation
        /// The signature at the end of a chain.
        case signature
        /// Where the chains of a conversation end.
        case chains
        /// How many messages were written when.
        case statistics
        /// The words of messages.
        case searchIndex = "search_index"
    }

    /// What it is about.
    public let part: Part
    /// The conversation, where it is about one.
    public let conversation: ConversationID?
    /// The operation, where it is about one.
    public let operation: OperationID?
    /// What is wrong, in words.
    public let sentence: String

    init(
        _ part: Part, _ sentence: String, conversation: ConversationID? = nil, operation: OperationID? = nil
    ) {
        (self.part, self.sentence) = (part, sentence)
        (self.conversation, self.operation) = (conversation, operation)
    }
}
