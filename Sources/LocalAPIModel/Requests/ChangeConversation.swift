/// The body of `PATCH /conversations/{id}`: what is absent stays as it is.
package struct ChangeConversation: RequestFields {
    package var name: String?
    package var description: String?
    /// The id of an uploaded file; empty to take the photo away.
    package var photo: String?
    package var settings: [String: String]?

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case name
        case description
        case photo
        case settings
    }

    package init(
        name: String? = nil, description: String? = nil, photo: String? = nil, settings: [String: String]? = nil
    ) {
        self.name = name
        self.description = description
        self.photo = photo
        self.settings = settings
    }
}
