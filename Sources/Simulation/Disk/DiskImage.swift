import Blobs
import Conversations
import Cryptography
import OperationLog
import Storage
import Time

/// Everything a disk holds, as a value: the simulator copies it to cut the power, to lose what was not synced, and to
/// restore an old backup.
struct DiskImage {
    /// A stored operation, in the order of arrival.
    struct Row {
        let conversation: ConversationID
        var operation: Operation
        let hybridTime: Int64
        let receivedAt: Timestamp
    }

    /// What is kept of one conversation besides its operations.
    struct Conversation {
        let root: ConversationRoot
        /// Places in ``rows``, lane by lane.
        var arrivals: [Lane: [Int]] = [:]
        /// Where the content operations are in ``rows``.
        var content: [OperationID: Int] = [:]
        var frontiers: [Lane: Frontier] = [:]
        var contentHeads: Set<OperationID> = []
        /// Keys of epochs, sealed.
        var epochKeys: [OperationID: [UInt8]] = [:]
        /// Epochs whose keys were erased.
        var erasedKeys: Set<OperationID> = []
        /// For how long bodies are kept, if not forever.
        var retention: RetentionPeriod?
        /// Operations whose bodies are asked for.
        var wanted: Set<OperationID> = []
        /// Operations whose bodies have no room here.
        var declined: Set<OperationID> = []
        /// Operations that are not shown.
        var withheld: Set<OperationID> = []
        /// How far the user has read.
        var readMarks: [DeviceID: UInt64] = [:]
        /// How far others hold this device's own chain in the membership lane.
        var heldDecisions: UInt64?
        /// What the devices say they received and read.
        var receipts: [DeviceID: StoredReceipt] = [:]
        /// Where annotations lead.
        var links: [OperationID: AnnotationLink] = [:]
    }

    var rows: [Row] = []
    /// The chunks of files, by root and place.
    var chunks: [Digest: [Int: BlobChunk]] = [:]
    /// The roots of files that the user does not want.
    var canceledBlobs: Set<Digest> = []
    var conversations: [ConversationID: Conversation] = [:]
    /// The conversations in the order they were opened.
    var order: [ConversationID] = []
    var credentials: [UserID: Credentials] = [:]
    var tombstones: [UserID: Tombstones] = [:]
    var wrapSecrets: [UInt64: SealedWrapSecret] = [:]
    var profiles: [UserID: SeenProfile] = [:]
    var addresses: [KnownAddress] = []
    var meetingPlaces: [DeviceID: String] = [:]
    /// What the user keeps for themselves, sealed.
    var preferences: [ConversationID: [UInt8]] = [:]
    /// The same of people, by the names of the rows.
    var personMarks: [Digest: [UInt8]] = [:]
    var copyEvidence: OperationID?

    /// The stored operations of a lane, in the order of arrival.
    func operations(of conversation: ConversationID, lane: Lane) -> [Operation] {
        (conversations[conversation]?.arrivals[lane] ?? []).map { rows[$0].operation }
    }

    /// How far the user has read the chains of a conversation.
    func readMarks(in conversation: ConversationID) -> [DeviceID: UInt64] {
        conversations[conversation]?.readMarks ?? [:]
    }

    /// The first operation of every chain that is beyond its read mark and behind a place in the order of messages.
    func firstUnread(behind place: MessagePosition, in conversation: ConversationID) -> [DeviceID: UInt64] {
        let marks = readMarks(in: conversation)
        var first: [DeviceID: UInt64] = [:]
        for arrival in conversations[conversation]?.arrivals[.content] ?? [] {
            let (operation, time) = (rows[arrival].operation, rows[arrival].hybridTime)
            let (device, number) = (operation.author.id, operation.header.sequenceNumber)
            guard number > marks[device] ?? 0, MessagePosition(hybridTime: time, id: operation.id) > place else {
                continue
            }
            first[device] = min(first[device] ?? number, number)
        }
        return first
    }

    mutating func open(_ conversation: ConversationID, root: ConversationRoot) {
        guard conversations[conversation] == nil else { return }
        conversations[conversation] = Conversation(root: root)
        order.append(conversation)
    }

    mutating func insert(_ change: LaneCommit, at time: Timestamp) {
        open(change.conversation, root: change.root)
        for entry in change.operations {
            insert(
                Row(
                    conversation: change.conversation, operation: entry.operation, hybridTime: entry.hybridTime,
                    receivedAt: time), lane: change.lane)
        }
        conversations[change.conversation]?.contentHeads.subtract(change.followed)
        conversations[change.conversation]?.contentHeads.formUnion(change.newHeads)
        conversations[change.conversation]?.epochKeys.merge(change.encryption.keys) { $1 }
        conversations[change.conversation]?.wanted.formUnion(change.encryption.wanted)
        conversations[change.conversation]?.declined.formUnion(
            change.encryption.declined.subtracting(change.encryption.withheld))
        conversations[change.conversation]?.withheld.formUnion(change.encryption.withheld)
        conversations[change.conversation]?.links.merge(change.encryption.links) { $1 }
        erase(change.encryption.takenBack.sorted(), in: change.conversation)
    }

    /// The annotations of a conversation whose bodies are here, in the order of arrival.
    func annotations(in conversation: ConversationID) -> [Row] {
        (conversations[conversation]?.arrivals[.content] ?? []).map { rows[$0] }
            .filter { $0.operation.header.type.isAnnotation && $0.operation.body != nil }
    }

    mutating func fill(
        _ bodies: [(id: OperationID, body: [UInt8])], keys: [OperationID: [UInt8]], in conversation: ConversationID
    ) {
        for (id, body) in bodies {
            guard let place = conversations[conversation]?.content[id], rows[place].operation.body == nil,
                let filled = rows[place].operation.with(body: body)
            else { continue }
            rows[place].operation = filled
            conversations[conversation]?.wanted.remove(id)
        }
        conversations[conversation]?.epochKeys.merge(keys) { $1 }
    }

    /// The content operations of a conversation whose bodies are closed, in the order of arrival.
    func content(of conversation: ConversationID) -> [Row] {
        (conversations[conversation]?.arrivals[.content] ?? []).map { rows[$0] }.filter {
            $0.operation.header.type.isClosed
        }
    }

    /// Whether a body is asked for.
    func wants(_ operation: OperationID, in conversation: ConversationID) -> Bool {
        conversations[conversation]?.wanted.contains(operation) == true
    }

    /// Whether a body has no room.
    func declines(_ operation: OperationID, in conversation: ConversationID) -> Bool {
        conversations[conversation]?.declined.contains(operation) == true
    }

    mutating func erase(_ operations: [OperationID], in conversation: ConversationID) {
        for id in operations {
            guard let place = conversations[conversation]?.content[id] else { continue }
            rows[place].operation = rows[place].operation.withoutBody
            conversations[conversation]?.wanted.remove(id)
            conversations[conversation]?.declined.remove(id)
            conversations[conversation]?.withheld.remove(id)
        }
    }

    /// Whether an operation is not shown.
    func withholds(_ operation: OperationID, in conversation: ConversationID) -> Bool {
        conversations[conversation]?.withheld.contains(operation) == true
    }

    mutating func withhold(_ withheld: [OperationID], showing shown: [OperationID], in conversation: ConversationID) {
        for id in withheld {
            guard let place = conversations[conversation]?.content[id] else { continue }
            let isWanted = conversations[conversation]?.wanted.remove(id) != nil
            conversations[conversation]?.declined.remove(id)
            if isWanted || rows[place].operation.body != nil { conversations[conversation]?.withheld.insert(id) }
        }
        for id in shown where conversations[conversation]?.withheld.remove(id) != nil {
            guard let place = conversations[conversation]?.content[id], rows[place].operation.body == nil else {
                continue
            }
            conversations[conversation]?.wanted.insert(id)
        }
    }

    mutating func setRetention(_ period: RetentionPeriod?, of conversation: ConversationID) {
        guard let before = conversations[conversation] else { return }
        conversations[conversation]?.retention = period
        if before.retention == .nothing, period == nil { conversations[conversation]?.erasedKeys = [] }
        guard period == .nothing else { return }
        conversations[conversation]?.receipts = [:]
        conversations[conversation]?.readMarks = [:]
        preferences[conversation] = nil
    }

    private mutating func insert(_ row: Row, lane: Lane) {
        let header = row.operation.header
        let tip = ChainTip(sequenceNumber: header.sequenceNumber, id: row.operation.id)
        conversations[row.conversation]?.arrivals[lane, default: []].append(rows.count)
        if lane == .content { conversations[row.conversation]?.content[row.operation.id] = rows.count }
        conversations[row.conversation]?.frontiers[lane, default: Frontier()]
            .append(tip, after: header.previous, of: row.operation.author.id)
        rows.append(row)
    }
}
