/// The body of `POST /conversations`.
struct CreateConversation: RequestFields {
    enum Kind: String, Codable, CaseIterable {
        case direct
        case group
    }

    var kind: Kind
    var name: String?
    /// Ids, unique id prefixes or unique names; exactly one for a direct conversation.
    var members: [String]
    /// The id of an uploaded file.
    var photo: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case kind
        case name
        case members
        case photo
    }
}
