/// The body of `POST /conversations/{id}/messages`: one text, or several that are stored in one commit.
package struct SendMessages: RequestFields {
    /// The most bytes of a client's own name for a request, which is kept in memory.
    package static let maximumClientIDBytes = 128

    package var text: String?
    package var texts: [String]?
    package var replyTo: String?
    /// The client's own name for the request: repeating it sends nothing twice.
    package var clientID: String?
    /// Whether the draft of the conversation became these messages, and is to be forgotten.
    package var clearDraft: Bool?
    /// The files that the message carries, by their ids.
    package var files: [String]?

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case text
        case texts
        case replyTo = "reply_to"
        case clientID = "client_id"
        case clearDraft = "clear_draft"
        case files
    }

    package init(
        text: String? = nil, texts: [String]? = nil, replyTo: String? = nil, clientID: String? = nil,
        clearDraft: Bool? = nil, files: [String]? = nil
    ) {
        self.text = text
        self.texts = texts
        self.replyTo = replyTo
        self.clientID = clientID
        self.clearDraft = clearDraft
        self.files = files
    }
}
