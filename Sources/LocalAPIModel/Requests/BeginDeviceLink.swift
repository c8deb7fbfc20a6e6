/// The body of `POST /device-links`.
package struct BeginDeviceLink: OwnersRequest {
    /// The link code that the other host shows.
    package var code: String
    /// What guards the keys of the home; absent where nothing does.
    package var passphrase: String?

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case code, passphrase
    }

    package init(code: String, passphrase: String? = nil) {
        self.code = code
        self.passphrase = passphrase
    }
}
