/// The body of `POST /web/tokens`.
package struct CreateToken: RequestFields {
    package var name: String
    /// Whether it can only look; absent means it can do everything.
    package var readOnly: Bool?

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case name
        case readOnly = "read_only"
    }

    package init(name: String, readOnly: Bool? = nil) {
        self.name = name
        self.readOnly = readOnly
    }
}
