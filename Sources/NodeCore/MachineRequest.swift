import Conversations
import Replication

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
    /// Ask to be woken when the next thing is due.
    case wake
}
