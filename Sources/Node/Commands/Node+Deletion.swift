import Cryptography
import LocalAPIModel
import NodeCore

extension Node {
    /// Whether the user ended their identity.
    public var isDeleted: Bool { core.isDeleted }

    /// Ends the user's identity: leaves every group, then says to everybody that this user is no more. Nothing undoes
    /// it.
    ///
    /// - Parameter passphrase: what guards the home.
    /// - Returns: who the node's user is now. Asked once more, it does nothing.
    /// - Throws: `passphrase_needed`, `wrong_passphrase`; `invalid_operation` where another device holds the user's
    ///   root; `home_copied`, `disk_full`, `storage_failed`.
    public func deleteIdentity(passphrase: Passphrase? = nil) async throws(NodeError) -> IdentityDescription {
        _ = try await unsealRoot(with: passphrase)
        try change { core, moment throws(NodeError) in try core.deleteIdentity(at: moment) }
        return identity()
    }
}
