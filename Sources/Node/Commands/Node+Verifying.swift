import Conversations
import Cryptography
import LocalAPIModel
import NodeCore
import OperationLog

extension Node {
    /// What this user and another compare to be sure that nobody stands between them.
    ///
    /// Computed where it is asked for, on another queue than the node's: it takes some tenths of a second on purpose.
    ///
    /// - Throws: `unknown_person`, `ambiguous_name`, `invalid_operation` for the user themselves, `storage_failed`
    ///   without memory.
    public nonisolated func comparison(with person: String) async throws(NodeError) -> ComparisonDescription {
        let (mine, other) = try await self.other(named: person)
        let code: SafetyNumber
        do throws(CryptographyError) {
            code = try SafetyNumber(mine, other)
        } catch {
            throw NodeError(
                .storageFailed, "There is not enough memory for the code", hint: "It needs 64 MiB for a moment.")
        }
        return await ComparisonDescription(code: code.description, me: describe(mine), person: describe(other))
    }

    /// Notes that the codes were compared with a person, or takes it back.
    ///
    /// - Throws: `unknown_person`, `ambiguous_name`, `invalid_operation` for the user themselves, `disk_full`,
    ///   `storage_failed`.
    public func setVerified(_ isVerified: Bool, of person: String) throws(NodeError) -> PersonDescription {
        let user = try self.person(named: person)
        try change { core, moment throws(NodeError) in try core.setVerified(isVerified, of: user, at: moment) }
        return describe(user)
    }

    private func other(named person: String) throws(NodeError) -> (me: UserID, other: UserID) {
        let user = try self.person(named: person)
        guard user != me else {
            throw NodeError(
                .invalidOperation, "This operation is not allowed: this person is you",
                hint: "Name somebody else: 'moot people list' shows whom you know.")
        }
        return (me, user)
    }

    private func describe(_ user: UserID) -> PersonDescription { describe(contacts[user]) }
}
