/// Who is writing in a conversation.
public struct TypingDescription: Hashable, Sendable, Codable {
    /// The id of the conversation.
    public var conversation: String
    /// The people, in the order in which they began; the node's user is not among them.
    public var people: [PersonDescription]
    /// The line to show, for example "Alice is typing..."; absent while nobody writes.
    public var text: String?

    package init(conversation: String, people: [PersonDescription], text: String? = nil) {
        self.conversation = conversation
        self.people = people
        self.text = text
    }
}
