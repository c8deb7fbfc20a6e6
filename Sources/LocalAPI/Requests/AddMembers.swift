/// The body of `POST /conversations/{id}/members`.
struct AddMembers: RequestFields {
    var members: [String]

    enum CodingKeys: String, CodingKey, CaseIterable {
        case members
    }
}
