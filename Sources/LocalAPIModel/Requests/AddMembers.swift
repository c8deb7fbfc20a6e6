/// The body of `POST /conversations/{id}/members`.
package struct AddMembers: RequestFields {
    package var members: [String]

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case members
    }

    package init(members: [String]) {
        self.members = members
    }
}
