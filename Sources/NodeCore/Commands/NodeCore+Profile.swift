import Conversations
import OperationLog
import Replication

extension NodeCore {
    /// Changes the name others see.
    ///
    /// - Throws: `name_invalid`, `disk_full`, `storage_failed`.
    public mutating func setProfile(name: String, at moment: Moment) throws(NodeError) {
        self.moment = moment
        guard name != card.name else { return }
        guard let changed = ProfileCard(root: keys.root, version: card.version + 1, name: name, identity: card.identity)
        else {
            throw NodeError(.nameInvalid, "A name has 1 to 50 characters")
        }
        do throws(StoreError) {
            try storage.save(changed, seenAt: moment.wall)
        } catch {
            throw NodeError(error)
        }
        card = changed
        _ = contacts.learn(changed)
        introduceMyself()
        show(.person(me))
    }
}
