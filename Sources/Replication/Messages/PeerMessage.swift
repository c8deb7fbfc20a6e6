import Cryptography
import OperationLog

/// What two nodes say to each other inside a channel, by what it is about.
///
/// A family has a folder with its messages, and a file for each kind of them: ``MessageKind``.
public enum PeerMessage: Hashable, Sendable {
    /// Who people are, and where.
    case people(PeopleMessage)
    /// The cards of others.
    case cards(CardMessage)
    /// Who is there, and how they are reached.
    case presence(PresenceMessage)
    /// Which conversations are shared, and who may join them.
    case sharing(SharingMessage)
    /// One lane of a conversation.
    case lane(LaneSlot, LaneMessage)
    /// What we hold of both lanes of a conversation, each as a digest. The slot is its place in the sender's list of
    /// tags.
    case statuses(slot: Int, membership: LaneDigest, content: LaneDigest)
    /// So many bytes of batches sent as an answer have been applied.
    case credit(Int)
    /// A conversation, besides its lanes. The lane is that of the operations that it names.
    case conversation(LaneSlot, ConversationMessage)
    /// Blobs.
    case files(FileMessage)
    /// The user's private state, for another device of theirs.
    case privateState(PrivateMessage)

    /// The key of an epoch.
    public struct Key: Hashable, Sendable {
        /// Bytes of a key.
        public static let byteCount = 32
        /// The epoch.
        public let epoch: OperationID
        /// The key, ``byteCount`` bytes. Nothing of it is checked.
        public let bytes: [UInt8]

        /// Joins a key to its epoch.
        public init(epoch: OperationID, bytes: [UInt8]) {
            self.epoch = epoch
            self.bytes = bytes
        }
    }

    /// How far the user has read a chain of the content lane.
    public struct ReadMark: Hashable, Sendable {
        /// Whose chain it is.
        public let device: DeviceID
        /// The last operation that they read.
        public let sequenceNumber: UInt64

        /// Describes a mark.
        public init(device: DeviceID, sequenceNumber: UInt64) {
            self.device = device
            self.sequenceNumber = sequenceNumber
        }
    }

    /// The body of an operation.
    public struct Body: Hashable, Sendable {
        /// Whose body it is.
        public let operation: OperationID
        /// The body.
        public let bytes: [UInt8]

        /// Joins a body to its operation.
        public init(operation: OperationID, bytes: [UInt8]) {
            self.operation = operation
            self.bytes = bytes
        }
    }

    /// A lane of a conversation, named by the conversation's place in the sender's list of tags.
    public struct LaneSlot: Hashable, Sendable {
        /// The place of the conversation in the sender's list of tags.
        public let slot: Int
        /// The lane.
        public let lane: Lane

        /// Names a lane.
        public init(slot: Int, lane: Lane) {
            self.slot = slot
            self.lane = lane
        }
    }

    /// A chain with all its tips, ascending.
    public struct ChainEntry: Hashable, Sendable {
        /// Whose chain it is.
        public let device: DeviceID
        /// The ends of its branches.
        public let tips: [ChainTip]

        /// Describes a chain.
        public init(device: DeviceID, tips: [ChainTip]) {
            self.device = device
            self.tips = tips
        }
    }
}

/// 8 bytes by which two nodes recognize a conversation both know, without telling it to anybody else.
public struct ConversationTag: Hashable, Sendable {
    /// Bytes of a tag.
    public static let byteCount = 8
    /// In one word: a peer may show thousands.
    private let word: UInt64
    /// The bytes.
    public var bytes: [UInt8] { withUnsafeBytes(of: word.bigEndian) { Array($0) } }

    /// The tag that a side of a connection shows: different on every connection and in each direction.
    public init(_ conversation: ConversationID, transcript: [UInt8], role: HandshakeState.Role) {
        var hash = Blake2b(byteCount: Self.byteCount, key: conversation.digest.bytes)
        hash.update(transcript)
        hash.update([role.rawValue])
        self.init(bytes: hash.finalize())
    }

    init(bytes: [UInt8]) {
        word = bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}

/// Where a device was reached.
public struct PeerAddress: Hashable, Sendable {
    /// The longest address text, in bytes.
    public static let maximumTextBytes = 64
    /// How many of a device count that it says of itself.
    public static let maximumOwn = 2
    /// The device.
    public let device: DeviceID
    /// `host:port`, numeric.
    public let address: String

    /// Names a place.
    public init(device: DeviceID, address: String) {
        self.device = device
        self.address = address
    }
}
