import Blobs
import Conversations
import OperationLog
import Replication

extension NodeCore {
    /// Changes the name and the photo others see; what is nil stays as it is.
    ///
    /// - Throws: `name_invalid`, `disk_full`, `storage_failed`.
    public mutating func setProfile(
        name: String? = nil, photo: PhotoChange? = nil, at moment: Moment
    ) throws(NodeError) {
        self.moment = moment
        let bytes: [UInt8] =
            switch photo {
            case .set(let reference): reference.encoded
            case .remove: []
            case nil: card.photo
            }
        let name = name ?? card.name
        guard name != card.name || bytes != card.photo else { return }
        try checkIsOnlyCopy()
        // A reference to a photo is never above the limit.
        guard
            let changed = ProfileCard(
                root: keys.root, version: card.version + 1, name: name, photo: bytes, identity: card.identity)
        else {
            throw NodeError(.nameInvalid, "A name has 1 to 50 characters")
        }
        do throws(StoreError) {
            try storage.save(changed, seenAt: moment.wall)
        } catch {
            throw NodeError(error)
        }
        card = changed
        learn(changed)
        publishIntroduction()
        show(.person(me))
    }
}
