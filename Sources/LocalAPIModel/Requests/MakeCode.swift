/// The body of `POST /conversations/{id}/codes`: for how many seconds the code is good.
package struct MakeCode: RequestFields {
    package var expiresIn: Int?

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case expiresIn = "expires_in"
    }

    package init(expiresIn: Int? = nil) {
        self.expiresIn = expiresIn
    }
}
