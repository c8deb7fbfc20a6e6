import Cryptography
import OperationLog
import Time

/// What a node needs of a disk; SQLite in the daemon, memory that can fail in the simulator.
///
/// Every method is synchronous and does all or nothing; what a write has returned from survives the loss of power. A
/// storage is no authority on anything: it keeps what a ``ConversationLog`` admitted and gives it back.
public protocol ReplicaStorage: AnyObject {
    /// Finds the content operations of one conversation.
    associatedtype Index: OperationIndex

    /// Random bytes minted with the storage, by which peers notice a replica that was restored or begun anew.
    var replicaEpoch: [UInt8] { get }

    /// The conversations, in the order they were opened.
    func conversations() -> [ConversationRecord]

    /// Makes a conversation known before any of its operations is here; one that is known stays as it is.
    func open(_ conversation: ConversationID, root: ConversationRoot, at time: Timestamp) throws(StoreError)

    /// What the log of a conversation was when the last commit to it returned; empty for an unknown conversation.
    func log(of conversation: ConversationID) throws(StoreError) -> StoredLog

    /// Makes what several lanes gained durable, in one transaction.
    ///
    /// - Parameters:
    ///   - changes: the lanes, a membership lane before the content that names its operations.
    ///   - time: when the operations came in, by this node's clock.
    ///   - request: what a client calls the request that they answer, which is remembered with them; nil for none.
    func commit(
        _ changes: [LaneCommit], receivedAt time: Timestamp, answering request: ClientRequest?
    ) throws(StoreError)

    /// An index over the content lane of a conversation. It sees what is committed when it is asked.
    func index(of conversation: ConversationID) -> Index

    /// A content operation that is here, or nil; with its body where that is here.
    func operation(_ id: OperationID, of conversation: ConversationID) throws(StoreError) -> Operation?

    /// When operations were committed here, by the clock of the host then; what is not here is left out.
    func arrivals(
        of operations: [OperationID], in conversation: ConversationID
    ) throws(StoreError) -> [OperationID: Timestamp]

    /// Adds bodies that had been missing to operations that are here, and the keys that came with them, and erases what
    /// was taken back.
    ///
    /// - Parameters:
    ///   - keys: keys of epochs, sealed for rest.
    ///   - takenBack: operations whose bodies nobody need have any more, wanted ones among them.
    func fill(
        _ bodies: [(id: OperationID, body: [UInt8])], keys: [OperationID: [UInt8]], erasing takenBack: [OperationID],
        in conversation: ConversationID
    ) throws(StoreError)

    /// What a conversation has of keys, and which bodies it lacks.
    func encryption(of conversation: ConversationID) throws(StoreError) -> StoredEncryption

    /// The annotations that lead to some messages, by message, in no order.
    ///
    /// - Parameter limit: of those of one person and one type about one message that are not withheld, how many of the
    ///   first and how many of the last; nil for all, also what is withheld.
    func annotations(
        of messages: [OperationID], in conversation: ConversationID, fromEachEnd limit: Int?
    ) throws(StoreError) -> [OperationID: [AdmittedOperation]]

    /// The operations whose bodies are declined, in the order of arrival.
    func declined(in conversation: ConversationID) throws(StoreError) -> [Operation]

    /// How many bytes the closed bodies of each author take that are here or wanted; nobody of whom there are none.
    func bodyBytes(in conversation: ConversationID) throws(StoreError) -> [UserID: Int]

    /// Makes declined bodies wanted.
    func want(_ operations: [Operation], in conversation: ConversationID) throws(StoreError)

    /// The annotations whose bodies are here and of which it was never said where they lead.
    ///
    /// - Parameter epochs: only those that name one of these; nil for all.
    func unopenedAnnotations(
        of conversation: ConversationID, under epochs: Set<OperationID>?
    ) throws(StoreError) -> [Operation]

    /// Keeps where annotations lead, and erases what they take back.
    ///
    /// - Parameter takenBack: operations whose bodies nobody need have any more, wanted ones among them.
    func link(
        _ links: [OperationID: AnnotationLink], erasing takenBack: [OperationID], in conversation: ConversationID
    ) throws(StoreError)

    /// The operations of a type whose bodies are here or wanted and to which operations lead that delete, with when the
    /// first such operation came in; whether they count, others say.
    ///
    /// - Parameter type: what may be deleted: a message, or a file of one.
    func deletions(of type: OperationType, in conversation: ConversationID) throws(StoreError) -> [OperationID:
        Timestamp]

    /// What the operations lead to that pin or unpin, in no order.
    func pinTargets(in conversation: ConversationID) throws(StoreError) -> [OperationID]

    /// The operations that attach files and whose bodies are here, in the order of their arrival.
    func files(in conversation: ConversationID) throws(StoreError) -> [AdmittedOperation]

    /// The secrets to which others seal, sealed for rest, by counter.
    func wrapSecrets() throws(StoreError) -> [SealedWrapSecret]

    /// Keeps a secret, in the place of the one of the same counter.
    func save(_ secret: SealedWrapSecret) throws(StoreError)

    /// Erases a secret for good.
    func eraseWrapSecret(_ counter: UInt64) throws(StoreError)

    /// For how long bodies are kept, where not forever.
    func retentions() throws(StoreError) -> [ConversationID: RetentionPeriod]

    /// Keeps for how long bodies are kept; nil forever.
    ///
    /// With ``RetentionPeriod/nothing`` also goes what the user kept for themselves about the conversation, how far
    /// they read it, what its members say they received, and what clients sent there; all of it at once. Kept forever
    /// again after that, it forgets also that keys were erased.
    func setRetention(_ period: RetentionPeriod?, of conversation: ConversationID) throws(StoreError)

    /// Erases bodies that are older than a moment, wanted ones among them, and returns whose; at most `limit`, the
    /// oldest first.
    ///
    /// Age counts from the hybrid time; of what claims to be from the future, from when it came in.
    func expire(
        before time: Timestamp, at now: Timestamp, in conversation: ConversationID, limit: Int
    ) throws(StoreError) -> [OperationID]

    /// Erases the bodies of operations that were deleted for everybody, wanted ones among them; of those that have none
    /// here, nothing.
    func erase(_ operations: [OperationID], in conversation: ConversationID) throws(StoreError)

    /// Erases the bodies of operations that the user does not want to see any more; as if they had expired, they are
    /// not shown.
    func dismiss(_ operations: [OperationID], in conversation: ConversationID) throws(StoreError)

    /// Takes content operations from sight, or shows them again, in one transaction.
    ///
    /// Their bodies stay, are served to others and expire as all do. A body that is not here is not wanted meanwhile,
    /// and is wanted again when its operation is shown; one that was declined is not, ever. What is closed, deleted or
    /// expired stays what it is.
    ///
    /// - Returns: which of those to be shown were withheld.
    @discardableResult
    func withhold(
        _ withheld: [OperationID], showing shown: [OperationID], in conversation: ConversationID
    ) throws(StoreError) -> [OperationID]

    /// The operations of a device that are withheld, in the order of arrival.
    func withheld(of device: DeviceID, in conversation: ConversationID) throws(StoreError) -> [Operation]

    /// The epochs that a body of a conversation that is here or wanted names.
    func epochsInUse(in conversation: ConversationID) throws(StoreError) -> Set<OperationID>

    /// Erases keys of epochs for good, and keeps that they were here once.
    func eraseEpochKeys(_ epochs: [OperationID], in conversation: ConversationID) throws(StoreError)

    /// How many content operations a conversation has, messages or not.
    func contentCount(of conversation: ConversationID) throws(StoreError) -> Int

    /// Begins to serve a peer what it lacks of a lane: of a device that `known` does not name it holds nothing.
    func serve(
        _ lane: Lane, of conversation: ConversationID, beyond known: [DeviceID: KnownChain]
    ) throws(StoreError) -> ServingCursor

    /// Begins to serve a peer some operations of a membership lane; what is not here is passed over.
    func serve(membership operations: [OperationID], of conversation: ConversationID) throws(StoreError)
        -> ServingCursor

    /// The next batch for a peer, each run of a chain ending with a signature, or nil when the cursor has reached its
    /// end.
    func nextBatch(_ cursor: inout ServingCursor) throws(StoreError) -> Batch?

    /// What is known of the devices of everybody, by user.
    func credentials() throws(StoreError) -> [Credentials]

    /// Keeps what counts for a person now, in the place of what was kept of them before.
    func save(_ credentials: Credentials) throws(StoreError)

    /// The devices that their users took out.
    func tombstones() throws(StoreError) -> [Tombstone]

    /// Keeps that devices were taken out. A device that was is taken out for good: a statement replaces only another
    /// one of the same device.
    func save(_ tombstones: [Tombstone]) throws(StoreError)

    /// The profile that counts for a user, or nil if none is known.
    func profile(of user: UserID) throws(StoreError) -> SeenProfile?

    /// All profiles, by user.
    func profiles() throws(StoreError) -> [SeenProfile]

    /// Keeps a profile card unless one that supersedes it is here, and notes when its owner was seen; whether it is the
    /// one that counts now and did not before.
    @discardableResult
    func save(_ card: ProfileCard, seenAt time: Timestamp) throws(StoreError) -> Bool

    /// Keeps cards that others passed on, in the place of what was kept of these people; says nothing of when they were
    /// seen.
    ///
    /// - Precondition: none is superseded by what is kept.
    func save(passedOn cards: [ProfileCard]) throws(StoreError)

    /// Keeps when people were last seen whose cards are kept; an earlier time than is known changes nothing.
    func save(sightings: [UserID: Timestamp]) throws(StoreError)

    /// Forgets the cards and the devices of users, those taken out among them.
    func forget(_ users: [UserID]) throws(StoreError)

    /// What the user keeps for themselves about people, sealed for rest, by names that tell nobody whom it is about.
    func personMarks() throws(StoreError) -> [Digest: [UInt8]]

    /// Keeps marks of people, each in the place of what had its name, and forgets others by their names.
    ///
    /// - Complexity: O(*n*) in what is given, whatever else is kept.
    func save(personMarks sealed: [Digest: [UInt8]], forgetting names: [Digest]) throws(StoreError)

    /// What the user keeps for themselves about conversations, sealed for rest; the conversations need not be here.
    func preferences() throws(StoreError) -> [ConversationID: [UInt8]]

    /// Keeps what the user keeps for themselves about conversations, sealed for rest, in the place of what was there.
    func save(preferences sealed: [ConversationID: [UInt8]]) throws(StoreError)

    /// How far the user has read the chains of a conversation: sequence numbers in the content lane.
    func readMarks(in conversation: ConversationID) throws(StoreError) -> [DeviceID: UInt64]

    /// The first operation of every chain of the content lane that is beyond its read mark and behind a place in the
    /// order of messages: sequence numbers; no device where there is none.
    func firstUnread(behind place: MessagePosition, in conversation: ConversationID) throws(StoreError) -> [DeviceID:
        UInt64]

    /// Moves read marks forward; one that is further ahead already stays.
    ///
    /// - Parameter marks: sequence numbers by device; a device of whom nothing is stored has nothing to be read.
    func markRead(_ marks: [DeviceID: UInt64], in conversation: ConversationID) throws(StoreError)

    /// How far others are known to hold this device's own chain in membership lanes: sequence numbers; no conversation
    /// where nobody does.
    func heldDecisions() throws(StoreError) -> [ConversationID: UInt64]

    /// Keeps how far others are known to hold this device's own chain in a membership lane.
    func save(heldDecisions sequenceNumber: UInt64, of conversation: ConversationID) throws(StoreError)

    /// The receipts of a conversation, each device's latest.
    func receipts(of conversation: ConversationID) throws(StoreError) -> [StoredReceipt]

    /// Keeps receipts of a conversation that is stored, each in the place of its device's earlier one.
    func save(_ receipts: [StoredReceipt], of conversation: ConversationID) throws(StoreError)

    /// The operation that shows that another copy of this home wrote as this device; nil if there is none.
    func copyEvidence() throws(StoreError) -> OperationID?

    /// Keeps the operation that shows that another copy of this home wrote, or forgets it.
    func save(copyEvidence operation: OperationID?) throws(StoreError)

    /// Keeps an address of a device.
    ///
    /// - Parameter time: when a connection succeeded, or nil for hearsay, which never replaces a success.
    func note(address: String, of device: DeviceID, success time: Timestamp?) throws(StoreError)

    /// All addresses kept, for each device the one that worked last first.
    func addresses() throws(StoreError) -> [KnownAddress]

    /// Keeps where a device was met last, `host:port`; nil to forget it.
    func note(meetingPlace address: String?, of device: DeviceID) throws(StoreError)

    /// Where devices were met last.
    func meetingPlaces() throws(StoreError) -> [DeviceID: String]
}

extension ReplicaStorage {
    /// Makes durable, in one transaction, what several lanes gained without a client having asked for it by name.
    public func commit(_ changes: [LaneCommit], receivedAt time: Timestamp) throws(StoreError) {
        try commit(changes, receivedAt: time, answering: nil)
    }
}
