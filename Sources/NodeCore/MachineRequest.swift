import Conversations
import OperationLog
import Replication
import Storage
import Time

/// What a machine of a node asks of its siblings.
///
/// ``NodeCore`` carries requests out in their order, after the transition that made them.
enum MachineRequest {
    /// Ask the owner of the node.
    case effect(Effect)
    /// Tell the replicator.
    case replicate(Replicator.Event)
    /// Note that something could be stored.
    case stored
    /// Note, and write into the log, that something could not be stored.
    case storageFailed(StoreError)
    /// Forget bodies that are not in the storage any more.
    case erased([OperationID], in: ConversationID)
    /// Forget keys of epochs that are not in the storage any more.
    case keysErased([OperationID], in: ConversationID)
    /// Take keys of epochs that were erased from the log once more: the user is in the conversation again.
    case keysWantedAgain(of: ConversationID)
    /// Keep dialing an address of a device that the user is in touch with, which was reached at a time.
    case keep(String, of: DeviceID, success: Timestamp?)
    /// Learn cards that a member passed on, and keep them.
    case learn([ProfileCard])
    /// End a connection that leads elsewhere than its device says.
    case leave(PeerHandle)
    /// Note that somebody was heard with whom the node has parted, in words that anybody could have sent.
    case sighted(DeviceID)
    /// Take over what another device of the user keeps for them.
    case takePrivate([PrivateEntry], from: PeerHandle)
    /// Ask to be woken when the next thing is due.
    case wake
}
