import Conversations
import OperationLog
import Replication
import Storage
import Time

/// What the machines share, as the rest of the node calls it.
extension NodeCore {
    /// The keys.
    public var keys: Keys { context.keys }

    /// This node's user.
    public var me: UserID { context.me }

    /// This node's device.
    public var device: Device { context.device }

    /// The conversations.
    public internal(set) var replicas: [ConversationID: Replica] {
        _read { yield context.replicas }
        _modify { yield &context.replicas }
    }

    /// Everybody this node has heard of.
    public internal(set) var contacts: People {
        _read { yield context.contacts }
        _modify { yield &context.contacts }
    }

    /// The connections.
    public internal(set) var links: PeerLinks {
        _read { yield context.links }
        _modify { yield &context.links }
    }

    var copyEvidence: OperationID? {
        get { context.copyEvidence }
        set { context.copyEvidence = newValue }
    }

    /// What others see of the user.
    public internal(set) var card: ProfileCard {
        get { context.card }
        set { context.card = newValue }
    }

    /// Why the last commit failed, until one succeeds.
    public internal(set) var lastStorageError: StoreError? {
        get { context.lastStorageError }
        set { context.lastStorageError = newValue }
    }

    /// Batches that wait for others.
    public var pending: PendingBatches { laneExchange.pending }

    /// The devices of members whose clocks differ from this host's, as of what each said last.
    public var clockSkews: [DeviceID: ClockSkew] { laneExchange.clockSkews }

    /// How long messages took from being written to being stored here, by both clocks: those that came live.
    public var liveDelays: DurationHistogram { laneExchange.liveDelays }

    var storage: any ReplicaStorage { context.storage }

    var moment: Moment {
        get { context.moment }
        set { context.moment = newValue }
    }

    var now: Instant { context.now }

    /// Notes that something could not be stored.
    mutating func storageFailed(_ error: StoreError) {
        lastStorageError = error
        note(.notStored(NodeError(error)))
    }

    /// Carries out what machines ask for, in order.
    mutating func carryOut(_ requests: [MachineRequest]) {
        for request in requests {
            switch request {
            case .effect(let effect): effects.append(effect)
            case .replicate(let event): replicate(event)
            case .stored: lastStorageError = nil
            case .storageFailed(let error): storageFailed(error)
            case .erased(let operations, let conversation): erased(operations, in: conversation)
            case .keysErased(let epochs, let conversation): replicas[conversation]?.epochs.erase(epochs)
            case .keysWantedAgain(let conversation): reopenKeys(of: conversation)
            case .keep(let address, let device, let success): keep(address, of: device, success: success)
            case .leave(let peer): disconnect(peer, "it listens elsewhere")
            case .sighted(let device): sight(device)
            case .learn(let cards): learn(passedOn: cards)
            case .takePrivate(let entries, let peer): takePrivate(entries, from: peer)
            case .wake: planWake()
            }
        }
    }
}
