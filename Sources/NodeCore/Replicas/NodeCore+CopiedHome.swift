import Conversations
import OperationLog
import Replication
import Storage
import Time

/// Stops writing when another copy of this home writes as the same device.
///
/// Two programs on copies of one home fork the device's chains: each uses sequence numbers that the other has used. So
/// does an old copy that takes the home's place. (A home that `moot restore` makes is a new device.) An operation by
/// this device that this node does not hold proves it, for nobody else can sign it, and a node stores what it wrote
/// before anybody hears of it. From then on the node reads and replicates, and signs nothing.
extension NodeCore {
    /// Whether this node has stopped writing because another copy of its home wrote.
    public var isCopied: Bool { context.isCopied }

    /// Notices operations of this device that came from others and that this node does not hold.
    ///
    /// The evidence is stored before the operations are: once they are in the log, they prove nothing any more.
    ///
    /// - Throws: `disk_full`, `storage_failed`; the operations must not be stored then.
    mutating func noticeCopy(in received: [AdmittedOperation], of conversation: ConversationID) throws(NodeError) {
        guard !isCopied, let foreign = received.first(where: { $0.operation.author.id == device.id }) else { return }
        try keep(copyEvidence: foreign.operation.id)
        note(.homeCopied(foreign.operation.id))
    }

    /// Goes on writing: the user says that no other copy of this home is in use, or that a new device is not to wait
    /// for anybody.
    ///
    /// - Throws: `invalid_operation` for a new device without the root, or where the user has as many as they may;
    ///   `disk_full`, `storage_failed`.
    public mutating func continueAsOnlyCopy(at moment: Moment) throws(NodeError) {
        self.moment = moment
        if isNewDevice, !isDeleted { try becomeDevice() }
        guard isCopied else { return }
        try keep(copyEvidence: nil)
        resumeWriting()
    }

    private mutating func keep(copyEvidence id: OperationID?) throws(NodeError) {
        do throws(StoreError) {
            try storage.save(copyEvidence: id)
        } catch {
            lastStorageError = error
            throw NodeError(error)
        }
        copyEvidence = id
    }
}

extension NodeError {
    /// The error for every write after another copy of the home has written.
    public static let homeCopied = NodeError(
        .homeCopied, "This node has stopped writing, because another copy of its home wrote as this device",
        hint: "Stop the other copy and delete it, then start this one once with: moot up --only-copy")
}
