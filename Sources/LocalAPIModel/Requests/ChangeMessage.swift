/// The body of `PATCH /messages/{id}`.
package struct ChangeMessage: RequestFields {
    package var text: String

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case text
    }

    package init(text: String) {
        self.text = text
    }
}
