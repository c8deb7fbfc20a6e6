import Conversations
import OperationLog
import Storage
import Time

extension NodeCore {
    /// Forgets a person with whom the user is in no group any more: their name, their photo, their devices, and that
    /// codes were compared.
    ///
    /// A direct conversation with them stays, archived; there and in groups of earlier they are nobody known. Whoever
    /// comes back is met anew. That they are blocked is not forgotten: else blocking would end by it. Nor is that they
    /// ended their identity: else an old card of theirs would bring them back.
    ///
    /// - Throws: `unknown_person`, `deleted_person`, `invalid_operation` for the user themselves, for somebody
    ///   connected and for a member of a group of the user's, `disk_full`, `storage_failed`.
    public mutating func forget(_ user: UserID, at moment: Moment) throws(NodeError) {
        self.moment = moment
        guard contacts.knows(user) else {
            throw NodeError(
                .unknownPerson, "Nobody is known by that id", hint: "'moot people' shows who has been seen.")
        }
        guard !contacts[user].isDeleted || user == me else {
            throw NodeError(
                .deletedPerson, "This person has deleted their identity; that is all that is known of them",
                hint: "To hide what they wrote: moot people block \(user.description.prefix(16))")
        }
        try requireNothingShared(with: user)
        let direct = ConversationID(directBetween: me, and: user)
        let hasTalked = replicas[direct].map(\.isDirect) == true
        if hasTalked {
            var archiving = ConversationPreferencesUpdate()
            archiving.archiving = .archived
            try keep(archiving, of: direct)
        }
        if contacts[user].isVerified { try mark(user, isVerified: false) }
        do throws(StoreError) {
            try storage.forget([user])
        } catch {
            lastStorageError = error
            throw NodeError(error)
        }
        lastStorageError = nil
        // Their devices rest no longer than those of anybody who is forgotten.
        if strangers.nearby[user] != nil { drop(nearby: user) }
        contacts.forget(user)
        show(.forgotten(user))
        tellFiles(.cardChanged(of: user))
        for (conversation, replica) in replicas.sorted(by: { $0.key < $1.key })
        where conversation == direct || replica.group.devices(of: user).isEmpty == false {
            show(.conversation(conversation))
        }
    }

    private func requireNothingShared(with user: UserID) throws(NodeError) {
        guard user != me else {
            throw NodeError(
                .invalidOperation, "This operation is not allowed: this person is you",
                hint: "Name somebody else: 'moot people list' shows whom you know.")
        }
        let name = contacts[user].name
        guard !contacts[user].isOnline else {
            throw NodeError(
                .invalidOperation, "\(name) is connected now", hint: "To hear them no more: moot people block")
        }
        let shared = replicas.values.filter { $0.group.isMember(me) && $0.group.isMember(user) && !$0.isDirect }
            .min { $0.id < $1.id }
        if let shared {
            let group = shared.id.description.prefix(16)
            throw NodeError(
                .invalidOperation, "\(name) is in the group \(shared.group.name ?? "\(group)") with you",
                hint: "First: moot remove \(group) \(user.description.prefix(16)), or moot leave \(group)")
        }
    }
}
