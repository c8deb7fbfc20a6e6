/// The body of `PATCH /profile`.
struct ChangeProfile: RequestFields {
    var name: String?
    var receipts: Bool?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case name
        case receipts
    }
}
