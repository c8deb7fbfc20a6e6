/// The body of a request of the owner of the identity, whom the passphrase shows where one guards the keys of the home.
package protocol OwnersRequest: RequestFields {
    /// What guards the keys of the home; absent where nothing does.
    var passphrase: String? { get }
}

/// The body of `DELETE /profile` and `POST /devices/{device}/retirement`.
package struct ProveOwner: OwnersRequest {
    /// What guards the keys of the home; absent where nothing does.
    package var passphrase: String?

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case passphrase
    }

    package init(passphrase: String? = nil) {
        self.passphrase = passphrase
    }
}
