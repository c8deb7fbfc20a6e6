import Blobs
import Conversations
import OperationLog
import Replication
import Storage
import Time

extension NodeCore {
    /// Changes the name and the photo others see; what is nil stays as it is.
    ///
    /// - Throws: `name_invalid`, `invalid_operation` on a device that does not hold the root, `identity_deleted`,
    ///   `home_copied`, `disk_full`, `storage_failed`.
    public mutating func setProfile(
        name: String? = nil, photo: PhotoChange? = nil, at moment: Moment
    ) throws(NodeError) {
        self.moment = moment
        try requireIdentity()
        let bytes: [UInt8] =
            switch photo {
            case .set(let reference): reference.encoded
            case .remove: []
            case nil: card.photo
            }
        let name = try name.map { name throws(NodeError) in try Self.accept(name: name) } ?? card.name
        guard name != card.name || bytes != card.photo else { return }
        try requireWritable()
        let root = try requireRoot()
        guard
            let changed = ProfileCard(
                root: root, version: card.version + 1, name: name, photo: bytes, identity: context.countingIdentity)
        else {
            throw NodeError(.invalidRequest, "The description of this photo is too long for a profile")
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

    private static func accept(name: String) throws(NodeError) -> String {
        do throws(DisplayName.Fault) {
            return try DisplayName.chosen(name).text
        } catch {
            throw NodeError(.nameInvalid, error.sentence(about: "A name"))
        }
    }
}
