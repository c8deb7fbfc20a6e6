import Cryptography
import OperationLog

/// What two nodes say to each other inside a channel.
public enum PeerMessage: Hashable, Sendable {
    /// Who we are beyond our device, and where we listen.
    case hello(replicaEpoch: [UInt8], port: UInt16, [UInt8])
    /// Conversations we share, named so that only somebody who knows them recognizes them.
    case tags([ConversationTag])
    /// A conversation the receiver belongs to and seems not to know.
    case announce(ConversationID, ConversationRoot)
    /// What we hold of a lane, as a digest (T0).
    case status(LaneSlot, LaneDigest)
    /// What we hold of both lanes of a conversation, each as a digest. The slot is its place in the sender's list of tags.
    case statuses(slot: Int, membership: LaneDigest, content: LaneDigest)
    /// What we hold of a lane, as sequence numbers of chains in the order of their devices (T2).
    case frontier(
        LaneSlot, isWanted: Bool, digest: LaneDigest, chainList: LaneDigest, sequenceNumbers: [UInt64])
    /// What we hold of a part of a lane, every chain with its tips.
    case chains(LaneSlot, isWanted: Bool, ChainPart)
    /// Asks for ``chains(_:isWanted:_:)``.
    case chainsRequest(LaneSlot)
    /// Operations. What is pushed names the readers of its view whom its author reaches, a bit for each; an answer names nobody.
    case batch(LaneSlot, isAnswer: Bool, reached: [UInt8] = [], [UInt8])
    /// Asks for what follows of some chains.
    case want(LaneSlot, [DeviceID: KnownChain])
    /// The answer to a frontier or a want is complete.
    case done(LaneSlot)
    /// So many bytes of batches sent as an answer have been applied.
    case credit(Int)
    /// Are you there?
    case ping(UInt64)
    /// Yes.
    case pong(UInt64)
    /// Where others can be reached.
    case addresses([PeerAddress])
    /// Asks for bodies of content operations whose headers the sender holds.
    case bodiesWanted(LaneSlot, [OperationID])
    /// The bodies of those asked for that the sender has and the receiver may read.
    case bodies(LaneSlot, [Body])
    /// What we hold of the receipts of a conversation, as a digest.
    case receiptDigest(LaneSlot, ReceiptDigest)
    /// What we hold of the receipts of a conversation, by device.
    case receiptVersions(LaneSlot, [ReceiptVersion])
    /// Receipts, each as its device signed it; the sender's own also for devices that it cannot reach.
    case receipts(LaneSlot, [[UInt8]], absent: [DeviceID])
    /// Somebody writes: said by their device, or passed on once by another member.
    case typing(LaneSlot, [UInt8])
    /// The sender may join a conversation, known by its tag, by an invite by code.
    case proof(ConversationTag, OperationID, InviteProof)
    /// An invite of which the receiver showed a proof lets nobody in any more.
    case refusal(OperationID, InviteRefusal)
    /// Asks what the receiver has of the blobs that an operation names, and to be told when that is more.
    case blobWanted(LaneSlot, OperationID)
    /// The same of the photo that a person's card names.
    case photoWanted(UserID)
    /// What the sender has of the blob of a root: a bit for each chunk.
    case blobHeld(Digest, [UInt8])
    /// Asks for chunks of the blob of a root.
    case chunksWanted(Digest, [Int])
    /// A chunk of the blob of a root, with its proof.
    case chunk(Digest, [UInt8])
    /// What we hold of the cards of the people shared with the receiver, as a digest.
    case cardDigest(CardDigest)
    /// What we hold of a part of these cards, by person: asks for those that are newer.
    case cardVersions(CardPart)
    /// Cards, each as its owner signed it.
    case cards([[UInt8]])
    /// The sender asked a device that it watched whether it is there, and got no answer.
    case unreachable(DeviceID)
    /// The sender shares nothing with the receiver: if that is so on both sides, the connection may end.
    case parting
    /// Something about a conversation, for another device of the sender's user.
    case own(LaneSlot, OwnWord)
    /// Something about the user's private state, for another device of theirs.
    case privateState(PrivateWord)
    /// Asks how the receiver reaches the sender; the answer has the same number.
    case reachabilityWanted(UInt64)
    /// How the sender reaches the receiver, who asked for it by this number.
    case reachability(UInt64, ReachabilityReport)
    /// Devices that their users took out: each statement as its root signed it. Nothing of them is verified.
    case tombstones([[UInt8]])

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
