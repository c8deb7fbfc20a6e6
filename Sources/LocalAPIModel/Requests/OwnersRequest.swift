/// The body of a request of the owner of the identity, whom the passphrase shows where one guards the keys of the home.
package protocol OwnersRequest: RequestFields {
    /// What guards the keys of the home; absent where nothing does.
    var passphrase: String? { get }
}
