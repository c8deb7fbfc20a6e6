import OperationLog

/// What one lane of one conversation gained: the part of a transaction that concerns it.
public struct LaneCommit: Sendable {
    /// The conversation, which is opened if the store does not know it.
    public let conversation: ConversationID
    /// Group or direct.
    public let root: ConversationRoot
    /// The lane.
    public let lane: Lane
    /// What was admitted, each operation after its parents.
    public let operations: [AdmittedOperation]
    /// Those among the operations on which nothing in the content lane depends; in the membership lane heads are not
    /// kept, being found again from the whole.
    public let newHeads: [OperationID]
    /// What the operations depend on of what was stored before: no heads of the content lane any more.
    public let followed: [OperationID]
    /// What the transaction settles about bodies and keys besides.
    public let encryption: EncryptionCommit

    /// Describes what a log admitted or wrote.
    ///
    /// - Parameters:
    ///   - operations: what was admitted to `lane`, each after its parents.
    ///   - log: the log with those operations in it.
    ///   - encryption: the keys that came with them, and the bodies that did not.
    ///
    /// The last operation of each chain among `operations` must be signed, in the membership lane every one: only so
    /// can what is committed together be served to a peer later. A ``ReplicaStorage`` checks it.
    public init(
        _ operations: [AdmittedOperation], to lane: Lane, of log: ConversationLog,
        encryption: EncryptionCommit = EncryptionCommit()
    ) {
        conversation = log.conversation
        root = log.root
        self.lane = lane
        self.operations = operations
        self.encryption = encryption
        guard lane == .content else {
            (newHeads, followed) = ([], [])
            return
        }
        let ids = operations.map(\.operation.id)
        newHeads = ids.filter(log.isContentHead)
        followed = Set(operations.flatMap(\.operation.header.parents)).subtracting(ids).sorted()
    }
}
