/// The body of `PATCH /profile`.
package struct ChangeProfile: RequestFields {
    package var name: String?
    /// The id of an uploaded file; empty to take the photo away.
    package var photo: String?
    package var receipts: Bool?
    package var asksWhenAdded: Bool?

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case name
        case photo
        case receipts
        case asksWhenAdded = "asks_when_added"
    }

    package init(name: String? = nil, photo: String? = nil, receipts: Bool? = nil, asksWhenAdded: Bool? = nil) {
        self.name = name
        self.photo = photo
        self.receipts = receipts
        self.asksWhenAdded = asksWhenAdded
    }
}
