/// The body of `POST /device-links`.
package struct BeginDeviceLink: RequestFields {
    /// The link code that the other host shows.
    package var code: String

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case code
    }

    package init(code: String) {
        self.code = code
    }
}
