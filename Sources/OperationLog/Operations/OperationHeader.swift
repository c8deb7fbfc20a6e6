import Cryptography
import Time

/// The signed, hash-linked part of an operation. The body hangs off it by its digest.
public struct OperationHeader: Hashable, Sendable {
    /// The version of the protocol and of the rules that this code speaks.
    public static let version: UInt64 = 1

    /// What the operation does.
    public var type: OperationType
    /// The conversation, or nil in `create`, whose own id becomes the conversation's.
    public var conversation: ConversationID?
    /// The log it is in.
    public var lane: Lane
    /// The device that wrote it.
    public var device: DeviceID
    /// Its place in the device's chain, from 1.
    public var sequenceNumber: UInt64
    /// The device's previous operation in the lane; nil exactly at sequence number 1.
    public var previous: OperationID?
    /// The heads of other chains of the lane that the author had seen, ascending.
    public var dependencies: [OperationID]
    /// All heads of the membership lane that the author knew, ascending; empty in the membership lane.
    public var membershipHeads: [OperationID]
    /// The epoch the operation belongs to: whose key closes the body, or which the operation is about.
    public var epoch: OperationID?
    /// When the author says it was written.
    public var time: Timestamp
    /// Bytes of the body.
    public var bodyLength: Int
    /// BLAKE2b-256 of the body.
    public var bodyDigest: Digest

    /// Describes an operation.
    public init(
        type: OperationType, conversation: ConversationID?, lane: Lane, device: DeviceID, sequenceNumber: UInt64,
        previous: OperationID?, dependencies: [OperationID], membershipHeads: [OperationID], epoch: OperationID? = nil,
        time: Timestamp, bodyLength: Int, bodyDigest: Digest
    ) {
        self.type = type
        self.conversation = conversation
        self.lane = lane
        self.device = device
        self.sequenceNumber = sequenceNumber
        self.previous = previous
        self.dependencies = dependencies
        self.membershipHeads = membershipHeads
        self.epoch = epoch
        self.time = time
        self.bodyLength = bodyLength
        self.bodyDigest = bodyDigest
    }

    /// The operations of the same lane that this one names as seen: the previous of its chain, then the dependencies,
    /// then the epoch if it is none of them.
    public var parents: [OperationID] {
        var parents = dependencies
        if let previous { parents.insert(previous, at: 0) }
        if let epoch, !parents.contains(epoch) { parents.append(epoch) }
        return parents
    }
}
