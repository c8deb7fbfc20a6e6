/// The body of `POST /conversations`.
package struct CreateConversation: RequestFields {
    package enum Kind: String, Codable, CaseIterable {
        case direct
        case group
    }

    package var kind: Kind
    package var name: String?
    /// Ids, unique id prefixes or unique names; exactly one for a direct conversation.
    package var members: [String]
    /// The id of an uploaded file.
    package var photo: String?

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case kind
        case name
        case members
        case photo
    }

    package init(kind: Kind, name: String? = nil, members: [String], photo: String? = nil) {
        self.kind = kind
        self.name = name
        self.members = members
        self.photo = photo
    }
}
