/// The body of `POST /join`.
package struct JoinByCode: RequestFields {
    package var code: String

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case code
    }

    package init(code: String) {
        self.code = code
    }
}
