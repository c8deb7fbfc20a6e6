import OperationLog

/// What this node and a peer have shown each other of their conversations.
struct SharedConversations: Sendable {
    /// The conversations whose tags the peer was shown, in that order.
    var shown: [ConversationID] = []
    /// The place of each in that order: by it this node's messages name the conversation.
    var slots: [ConversationID: Int] = [:]
    /// The tags that the peer has shown, with their places.
    var tags: [ConversationTag: Int] = [:]
    /// How many tags it has shown, also those that came twice.
    var tagCount = 0
    /// Whether it has shown any tags yet, and be it none.
    var hasShownTags = false
    /// The tags by which the peer would name what it was shown.
    var expected: [ConversationTag: ConversationID] = [:]
    /// The conversations that both have shown, by the places by which the peer's messages name them.
    var bySlot: [Int: ConversationID] = [:]
    /// The same conversations.
    var theirSlots: Set<ConversationID> = []
    /// Conversations it was told of, or will be.
    var told: Set<ConversationID> = []
    /// Those of them whose tag it has not shown yet.
    var untagged: Set<ConversationID> = []
    /// Those of which it will be told when it has shown the tags of others.
    var untold: ArraySlice<ConversationID> = []
    /// Conversations the peer has told of.
    var announced: Set<ConversationID> = []
    /// Those of them in which its user is nobody, as far as is known here.
    var unproven: Set<ConversationID> = []
    /// Groups it has told of that wait for room.
    var announcements: [ConversationID] = []
}
