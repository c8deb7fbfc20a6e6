/// The body of `PATCH /profile`.
struct ChangeProfile: RequestFields {
    var name: String?
    var receipts: Bool?
    var asksWhenAdded: Bool?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case name
        case receipts
        case asksWhenAdded = "asks_when_added"
    }
}
