/// The body of `PATCH /profile`.
struct ChangeProfile: RequestFields {
    var name: String?
    /// The id of an uploaded file; empty to take the photo away.
    var photo: String?
    var receipts: Bool?
    var asksWhenAdded: Bool?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case name
        case photo
        case receipts
        case asksWhenAdded = "asks_when_added"
    }
}
