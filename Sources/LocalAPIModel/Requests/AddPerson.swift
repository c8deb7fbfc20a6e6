/// The body of `POST /people`.
package struct AddPerson: RequestFields {
    /// The contact code.
    package var code: String

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case code
    }

    package init(code: String) {
        self.code = code
    }
}
