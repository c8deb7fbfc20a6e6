import Conversations
import LocalAPIModel
import NodeCore
import OperationLog

extension Node {
    /// What replaces the text of a blocked person.
    static let blockedText = "Message from somebody you blocked"

    /// Blocks a person, or takes it back. Nobody else hears of it.
    ///
    /// - Throws: `unknown_person`, `ambiguous_name`, `invalid_operation` for the user themselves, `disk_full`,
    ///   `storage_failed`.
    public func setBlocked(_ isBlocked: Bool, of person: String) throws(NodeError) -> PersonDescription {
        let user = try self.person(named: person)
        try change { core, moment throws(NodeError) in try core.setBlocked(isBlocked, of: user, at: moment) }
        return describe(contacts[user])
    }
}
