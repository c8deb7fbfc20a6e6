/// The body of `POST /join`.
struct JoinByCode: RequestFields {
    var code: String

    enum CodingKeys: String, CodingKey, CaseIterable {
        case code
    }
}
