/// The body of `POST /people`.
struct AddPerson: RequestFields {
    /// The contact code.
    var code: String

    enum CodingKeys: String, CodingKey, CaseIterable {
        case code
    }
}
