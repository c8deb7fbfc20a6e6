import LocalAPIModel
import NodeCore

extension Node {
    /// Whether the user ended their identity.
    public var isDeleted: Bool { core.isDeleted }

    /// Ends the user's identity: leaves every group, then says to everybody that this user is no more. Nothing undoes it.
    ///
    /// - Returns: who the node's user is now. Asked once more, it does nothing.
    /// - Throws: `home_copied`, `disk_full`, `storage_failed`.
    public func deleteIdentity() throws(NodeError) -> IdentityDescription {
        try change { core, moment throws(NodeError) in try core.deleteIdentity(at: moment) }
        return identity()
    }
}
