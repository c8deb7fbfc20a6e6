/// The body of `PATCH /profile`.
struct ChangeProfile: RequestFields {
    var name: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case name
    }
}
