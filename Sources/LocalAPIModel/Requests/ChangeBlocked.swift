/// The body of `PUT /people/{user}/blocked`.
package struct ChangeBlocked: RequestFields {
    package var blocked: Bool

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case blocked
    }

    package init(blocked: Bool) {
        self.blocked = blocked
    }
}
