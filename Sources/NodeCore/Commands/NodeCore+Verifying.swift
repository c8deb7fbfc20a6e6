import Conversations
import OperationLog
import Replication
import Storage
import Time

extension NodeCore {
    /// Notes that codes were compared with a person, or takes it back. Nobody but the user's other devices hears of it.
    ///
    /// - Throws: `invalid_operation` for the user themselves and where there is no room, `disk_full`, `storage_failed`.
    public mutating func setVerified(_ isVerified: Bool, of user: UserID, at moment: Moment) throws(NodeError) {
        self.moment = moment
        guard user != me else {
            throw NodeError(
                .invalidOperation, "This operation is not allowed: this person is you",
                hint: "Name somebody else: 'moot people list' shows whom you know.")
        }
        guard contacts[user].isVerified != isVerified else { return }
        try mark(user, isVerified: isVerified)
        verificationChanged(of: user)
    }

    /// Makes durable whether codes were compared with a person, and tells the user's other devices.
    mutating func mark(_ user: UserID, isVerified: Bool) throws(NodeError) {
        guard
            let changes = context.privateState.verifications.changes(
                marking: user, isVerified, at: moment.wall, by: device.id)
        else {
            throw NodeError(
                .invalidOperation, "This operation is not allowed: the list of verified people is full",
                hint: "A node remembers \(PersonMarks.maximumPeople) people who were verified at some time.")
        }
        do throws(StoreError) {
            try save(verifications: changes)
        } catch {
            lastStorageError = error
            throw NodeError(error)
        }
        tellPrivate(.changed([PrivateSubject(.verification, of: user)], by: nil))
    }

    /// Brings about what follows from a person being verified, or not any more.
    mutating func verificationChanged(of user: UserID) {
        keepFormerStrangers { $0 == user }
        if contacts[user].isVerified { dialResting(of: [user]) }
        show(.person(user))
    }
}
