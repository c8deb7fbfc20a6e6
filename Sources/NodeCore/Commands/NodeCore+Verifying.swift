import Conversations
import OperationLog
import Storage
import Time

extension NodeCore {
    /// Notes that codes were compared with a person, or takes it back. It stays on this node.
    ///
    /// - Throws: `invalid_operation` for the user themselves, `disk_full`, `storage_failed`.
    public mutating func setVerified(_ isVerified: Bool, of user: UserID, at moment: Moment) throws(NodeError) {
        self.moment = moment
        guard user != me else {
            throw NodeError(
                .invalidOperation, "This operation is not allowed: this person is you",
                hint: "Name somebody else: 'moot people list' shows whom you know.")
        }
        guard contacts[user].isVerified != isVerified else { return }
        do throws(StoreError) {
            try storage.setVerified(isVerified, of: user)
        } catch {
            throw NodeError(error)
        }
        contacts[user].isVerified = isVerified
        keepFormerStrangers { $0 == user }
        if isVerified { dialResting(of: [user]) }
        show(.person(user))
    }
}
