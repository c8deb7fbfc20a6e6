import OperationLog

/// What is said of a conversation besides its lanes.
public enum ConversationMessage: Hashable, Sendable {
    /// Of bodies of the content lane.
    case bodies(BodyMessage)
    /// Of receipts.
    case receipts(ReceiptMessage)
    /// Somebody writes: said by their device, or passed on once by another member.
    case typing([UInt8])
    /// Asks what the receiver has of the blobs that an operation names, and to be told when that is more.
    case blobWanted(OperationID)
    /// For another device of the sender's user.
    case own(OwnMessage)

    static let kinds: [any MessageKind.Type] =
        BodyMessage.kinds + ReceiptMessage.kinds + [TypingMessage.self, BlobWantedMessage.self] + OwnMessage.kinds

    func write(_ lane: PeerMessage.LaneSlot, to writer: inout CanonicalWriter) {
        switch self {
        case .bodies(let message): message.write(lane, to: &writer)
        case .receipts(let message): message.write(lane, to: &writer)
        case .typing(let signal): TypingMessage.write(lane, signal, to: &writer)
        case .blobWanted(let operation): BlobWantedMessage.write(lane, operation, to: &writer)
        case .own(let message): message.write(lane, to: &writer)
        }
    }

    /// How many entries its list has.
    var entryCount: Int {
        switch self {
        case .bodies(let message): message.entryCount
        case .receipts(let message): message.entryCount
        case .own(let message): message.entryCount
        case .typing, .blobWanted: 0
        }
    }
}

/// What is said of bodies whose headers came before.
public enum BodyMessage: Hashable, Sendable {
    /// Asks for bodies of content operations whose headers the sender holds.
    case wanted([OperationID])
    /// The bodies of those asked for that the sender has and the receiver may read.
    case found([PeerMessage.Body])

    static let kinds: [any MessageKind.Type] = [BodiesWantedMessage.self, BodiesMessage.self]

    fileprivate func write(_ lane: PeerMessage.LaneSlot, to writer: inout CanonicalWriter) {
        switch self {
        case .wanted(let ids): BodiesWantedMessage.write(lane, ids, to: &writer)
        case .found(let bodies): BodiesMessage.write(lane, bodies, to: &writer)
        }
    }

    fileprivate var entryCount: Int { if case .found(let bodies) = self { bodies.count } else { 0 } }
}

/// What is said of the receipts of a conversation.
public enum ReceiptMessage: Hashable, Sendable {
    /// What we hold, as a digest.
    case digest(ReceiptDigest)
    /// What we hold, by device: asks for what is newer.
    case versions([ReceiptVersion])
    /// Receipts, each as its device signed it; the sender's own also for devices that it cannot reach.
    case receipts([[UInt8]], absent: [DeviceID] = [])

    static let kinds: [any MessageKind.Type] = [
        ReceiptDigestMessage.self, ReceiptVersionsMessage.self, ReceiptsMessage.self,
    ]

    fileprivate func write(_ lane: PeerMessage.LaneSlot, to writer: inout CanonicalWriter) {
        switch self {
        case .digest(let digest): ReceiptDigestMessage.write(lane, digest, to: &writer)
        case .versions(let versions): ReceiptVersionsMessage.write(lane, versions, to: &writer)
        case .receipts(let receipts, let absent): ReceiptsMessage.write(lane, receipts, absent: absent, to: &writer)
        }
    }

    fileprivate var entryCount: Int { if case .receipts(let receipts, _) = self { receipts.count } else { 0 } }
}
