import LocalAPIModel
import NodeCore

extension Node {
    /// Forgets a person with whom the user is in no group any more; a direct conversation with them is archived.
    ///
    /// - Returns: the person as they were known.
    /// - Throws: `unknown_person`, `ambiguous_name`, `invalid_operation` for the user themselves, for somebody
    ///   connected and for a member of a group of the user's, `disk_full`, `storage_failed`.
    public func forget(_ person: String) throws(NodeError) -> PersonDescription {
        let user = try self.person(named: person)
        let known = describe(contacts[user])
        try change { core, moment throws(NodeError) in try core.forget(user, at: moment) }
        return known
    }
}
