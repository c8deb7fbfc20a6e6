import Conversations
import OperationLog
import Replication
import Storage

/// What a node's log says of a transition. None of it needs an answer: the node goes on.
public enum Diagnostic: Sendable {
    /// Who is at the other end of a connection, as far as that is known, and where.
    public struct Peer: Hashable, Sendable {
        /// The device; nil before it has proven who it is, and once the connection is gone.
        public let device: Device?
        /// The other side's address.
        public let place: Endpoint?

        init(_ link: PeerLink?) {
            device = link?.identity?.device
            place = link?.endpoint
        }
    }

    /// A channel is open.
    case connected(Peer, outgoing: Bool)
    /// A connection ended; with the stable code of the reason.
    case connectionEnded(Peer, reason: String)
    /// A peer was turned away or given up.
    case connectionClosed(Peer, reason: String)
    /// A device broke the protocol.
    case banned(DeviceID, Peer)
    /// A batch did not decode or verify.
    case batchRefused(MalformedBytes)
    /// A chunk of a file was not what it was said to be.
    case chunkRefused(MalformedBytes)
    /// A receipt did not decode or verify.
    case receiptRefused(MalformedBytes)
    /// Others hold a receipt of this device that it had forgotten.
    case receiptRelearned(ConversationID)
    /// An operation can never be admitted.
    case operationIgnored(OperationID, Inadmissibility)
    /// Received operations could not be stored.
    case notStored(NodeError)
    /// Received operations could not be judged, because the storage could not be read.
    case notJudged(any Error)
    /// Operations could not be read to serve them.
    case notServed(StoreError)
    /// A card or an identity record could not be kept.
    case personNotKept(StoreError)
    /// A card did not verify.
    case cardRefused(MalformedBytes)
    /// Two people go by one name; whether the first is a stranger, of whom it is news again whenever they come.
    case namesakes(UserID, UserID, isStranger: Bool)
    /// A device went on twice from one place of its chain.
    case forked(Device)
    /// Another copy of this home wrote this operation as this device: the node has stopped writing.
    case homeCopied(OperationID)
    /// Another device of the user took this one out: the node has stopped writing.
    case deviceTakenOut
    /// This device, whose home was restored or recovered, is one of its user's now.
    case deviceCertified
    /// It could not become one.
    case deviceNotCertified(NodeError)
    /// The clock of a device differs from this host's by so many milliseconds.
    case clockDiffers(DeviceID, ahead: Int64)
    /// A pull made no progress.
    case stalled(ConversationID, Peer)
    /// Decisions cost so much that more of them wait.
    case costly(ConversationID)
    /// The key of an epoch did not open for this device.
    case keyMissing(OperationID)
    /// This device has a new key, with this counter.
    case keyReplaced(UInt64)
    /// What has expired could not be erased; it is tried again.
    case notErased(StoreError)
    /// Keys of a conversation that no message needs any more were erased.
    case keysErased(ConversationID, count: Int)
    /// The members were ratified after an admin left.
    case ratified(ConversationID)
}
