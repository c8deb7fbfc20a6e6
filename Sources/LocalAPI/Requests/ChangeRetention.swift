/// The body of `PUT /conversations/{id}/retention`: for how many days messages are kept; null forever.
struct ChangeRetention: RequestFields {
    var days: Int?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case days
    }
}
