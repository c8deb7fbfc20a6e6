/// The body of `PUT /people/{user}/blocked`.
struct ChangeBlocked: RequestFields {
    var blocked: Bool

    enum CodingKeys: String, CodingKey, CaseIterable {
        case blocked
    }
}
