/// The body of `POST /conversations/{id}/codes`: for how many seconds the code is good.
struct MakeCode: RequestFields {
    var expiresIn: Int?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case expiresIn = "expires_in"
    }
}
