/// The body of `PATCH /conversations/{id}`: what is absent stays as it is.
struct ChangeConversation: RequestFields {
    var name: String?
    var description: String?
    /// The id of an uploaded file; empty to take the photo away.
    var photo: String?
    var settings: [String: String]?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case name
        case description
        case photo
        case settings
    }
}
