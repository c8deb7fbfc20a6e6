/// The body of `POST /conversations/{id}/messages`: one text, or several that are stored in one commit.
struct SendMessages: RequestFields {
    /// The most bytes of a client's own name for a request, which is kept in memory.
    static let maximumClientIDBytes = 128

    var text: String?
    var texts: [String]?
    var replyTo: String?
    /// The client's own name for the request: repeating it sends nothing twice.
    var clientID: String?
    /// Whether the draft of the conversation became these messages, and is to be forgotten.
    var clearDraft: Bool?
    /// The files that the message carries, by their ids.
    var files: [String]?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case text
        case texts
        case replyTo = "reply_to"
        case clientID = "client_id"
        case clearDraft = "clear_draft"
        case files
    }
}
