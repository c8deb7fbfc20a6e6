/// The body of `PUT /conversations/{id}/retention`: for how many days messages are kept; null forever.
package struct ChangeRetention: RequestFields {
    package var days: Int?

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case days
    }

    package static var nullable: Set<String> { [CodingKeys.days.stringValue] }

    package init(days: Int? = nil) {
        self.days = days
    }
}
