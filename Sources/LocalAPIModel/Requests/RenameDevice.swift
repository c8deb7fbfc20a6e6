/// The body of `PATCH /devices/{device}`.
package struct RenameDevice: OwnersRequest {
    /// What to call the device.
    package var name: String
    /// What guards the keys of the home; absent where nothing does.
    package var passphrase: String?

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case name, passphrase
    }

    package init(name: String, passphrase: String? = nil) {
        self.name = name
        self.passphrase = passphrase
    }
}
