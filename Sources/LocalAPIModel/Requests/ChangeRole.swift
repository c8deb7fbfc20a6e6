/// The body of `PATCH /conversations/{id}/members/{user}`.
package struct ChangeRole: RequestFields {
    package var role: String

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case role
    }

    package init(role: String) {
        self.role = role
    }
}
