/// The body of `POST /conversations/{id}/invites`.
package struct InvitePerson: RequestFields {
    package var user: String

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case user
    }

    package init(user: String) {
        self.user = user
    }
}
