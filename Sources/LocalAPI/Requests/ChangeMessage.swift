/// The body of `PATCH /messages/{id}`.
struct ChangeMessage: RequestFields {
    var text: String

    enum CodingKeys: String, CodingKey, CaseIterable {
        case text
    }
}
