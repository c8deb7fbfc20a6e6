/// The body of `POST /devices/{device}/retirement`.
package struct RetireDevice: RequestFields {
    /// What guards the keys of the home; absent where nothing does.
    package var passphrase: String?

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case passphrase
    }

    package init(passphrase: String? = nil) {
        self.passphrase = passphrase
    }
}
