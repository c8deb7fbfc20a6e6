import Blobs
import Conversations
import OperationLog
import Replication
import Time

/// What a ``NodeCore`` asks of its owner.
public enum Effect: Sendable {
    /// Queue a message on a connection.
    case send(PeerHandle, [UInt8], SecureChannel.Urgency)
    /// Say goodbye on a connection; nothing of it is reported any more.
    case close(PeerHandle)
    /// From now on a peer's messages name a conversation by this place in its list of tags.
    case recognized(PeerHandle, ConversationID, slot: Int)
    /// From now on chunks of this blob may come from a peer.
    case fetching(PeerHandle, BlobAddress)
    /// Read a chunk and queue it on a connection, as bulk; say ``NodeCore/missed(_:at:)`` if it is not there.
    case sendChunk(PeerHandle, BlobAddress, Int)
    /// Dial a place, and say what came of it.
    case dial(DialTarget)
    /// Dial the place of a device once, hang up if somebody accepts, and say what came of it with
    /// ``NodeCore/Event/dialedBack(_:failure:)``.
    case dialBack(DeviceID, at: Endpoint)
    /// Send a beacon to everybody.
    case announce([UInt8])
    /// Send a beacon to one place.
    case answer([UInt8], to: Endpoint)
    /// Call ``NodeCore/tick(at:)`` at this moment at the latest.
    case wake(at: Instant)
    /// Forget that the home was made for a new device: it is one of its user's now.
    case deviceCertified
    /// Tell whoever watches.
    case show(ClientEvent)
    /// Write into the log.
    case note(Diagnostic)
}

/// What people who watch a node are told.
public enum ClientEvent: Sendable {
    /// Operations became durable; with what the conversation had told about itself before, if some stand in its
    /// membership lane.
    case committed([AdmittedOperation], in: ConversationID, told: [SystemMessage]?)
    /// Something about a conversation changed besides its operations.
    case conversation(ConversationID)
    /// The user looked at a conversation on another device, muted it or put it away: what is shown of it need not be.
    case settled(ConversationID)
    /// What this user decided there does not count any more, because others decided at the same time.
    case overruled([Group.Overruling], in: ConversationID)
    /// More, or less, is known of what these people received and read of what this device wrote.
    case receipts([UserID], in: ConversationID)
    /// More of a file is here, or it is doing otherwise than before; ask ``NodeCore/state(of:)``.
    case file(BlobAddress)
    /// Others write in a conversation than before; ask ``NodeCore/peopleTyping(in:at:)``.
    case typing(ConversationID)
    /// Something about a person changed.
    case person(UserID)
    /// A person has other devices than before.
    case devices(People.DeviceChange)
    /// A person is not known any more: the user forgot them, or they were a stranger who is not nearby any more.
    case forgotten(UserID)
    /// A peer proved who it is.
    case connected(PeerHandle)
    /// A peer is gone.
    case disconnected
    /// Two people go by one name.
    case namesake(ProfileCard, other: UserID)
    /// A peer answered how it reaches this node, asked by this number; nil if its connection ended before.
    case reachability(UInt64, ReachabilityReport?)
    /// A search that began with a contact code is over.
    case searched(UserID, SearchOutcome)
}
