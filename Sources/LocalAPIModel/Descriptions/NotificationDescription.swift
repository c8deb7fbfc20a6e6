/// What a user is notified of in one conversation. It takes the place of the one shown of that conversation before.
public struct NotificationDescription: Hashable, Sendable, Codable {
    /// The id of the conversation.
    public var conversation: String
    /// The id of the message or change that came last; absent where there is nothing to go to.
    public var message: String?
    /// One line, harmless to show: "Alice in Family Group", or "3 new messages in Family Group".
    public var title: String
    /// One line of at most 100 characters, harmless to show.
    public var body: String
    /// How many messages it stands for; 0 where nothing was written.
    public var count: Int
    /// Where a click leads: `moot://conversation/ID`, or `moot://conversation/ID/MESSAGE`.
    public var link: String

    package init(conversation: String, message: String? = nil, title: String, body: String, count: Int, link: String) {
        self.conversation = conversation
        self.message = message
        self.title = title
        self.body = body
        self.count = count
        self.link = link
    }
}
