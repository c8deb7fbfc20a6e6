/// The body of `POST /devices/{device}/revocation`.
package struct RevokeDevice: OwnersRequest {
    /// How many seconds ago the device came into other hands; absent for now.
    package var seconds: Int?
    /// Whether also while the node lacks something that others have.
    package var force: Bool?
    /// What guards the keys of the home; absent where nothing does.
    package var passphrase: String?

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case seconds, force, passphrase
    }

    package init(seconds: Int? = nil, force: Bool? = nil, passphrase: String? = nil) {
        self.seconds = seconds
        self.force = force
        self.passphrase = passphrase
    }
}
