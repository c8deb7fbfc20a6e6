/// The body of `PATCH /conversations/{id}/members/{user}`.
struct ChangeRole: RequestFields {
    var role: String

    enum CodingKeys: String, CodingKey, CaseIterable {
        case role
    }
}
