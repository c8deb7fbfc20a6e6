/// The body of `PUT /people/{user}/verified`.
struct ChangeVerified: RequestFields {
    var verified: Bool

    enum CodingKeys: String, CodingKey, CaseIterable {
        case verified
    }
}
