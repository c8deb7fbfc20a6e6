/// The body of `POST /conversations/{id}/invites`.
struct InvitePerson: RequestFields {
    var user: String

    enum CodingKeys: String, CodingKey, CaseIterable {
        case user
    }
}
