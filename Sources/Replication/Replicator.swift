import Blobs
import Cryptography
import OperationLog
import Time

/// Names a connection for as long as it lasts.
public struct PeerHandle: RawRepresentable, Hashable, Comparable, Sendable {
    /// A number that no other connection of this run has.
    public let rawValue: UInt64

    /// Names a connection.
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Older connections first.
    public static func < (left: PeerHandle, right: PeerHandle) -> Bool { left.rawValue < right.rawValue }
}

/// Makes replicas equal: decides what to tell, ask and send every connected peer. Without sockets, clock or database.
///
/// A lane is asked of one peer at a time: ``LaneState/State`` says of whom. What there is to ask of each is
/// ``PeerLane/State``. Protocol.md draws how they follow each other, under "Making lanes equal".
public struct Replicator {
    /// What a node tells the replicator.
    public enum Event: Sendable {
        /// A channel is open.
        case connected(PeerHandle, PeerIdentity, transcript: [UInt8], role: HandshakeState.Role)
        /// A channel has ended.
        case disconnected(PeerHandle)
        /// A message arrived.
        case received(PeerHandle, ReceivedMessage)
        /// A conversation was opened with what is held of both lanes.
        case opened(ConversationID, ConversationRoot, membership: Frontier, content: Frontier)
        /// The people of an open conversation are these now.
        case audienceChanged(ConversationID, [UserID: MembershipStatus])
        /// Why the user of a peer is not in a conversation is known now, or another reason than before.
        case expelled(PeerHandle, ConversationID)
        /// Everybody is shown that this node's user may join a conversation by an invite by code.
        case presenting(ConversationID, OperationID, InviteProof)
        /// Nobody is shown it any more.
        case withdrawn(ConversationID)
        /// Operations are durable here.
        case committed(ConversationID, Lane, Frontier, CommitOrigin)
        /// Peers are to hear something of a conversation, as far as they may. The lane is that of the operations that
        /// it names.
        case saying(
            ConversationMessage, of: ConversationID, lane: Lane = .content, to: [PeerHandle],
            SecureChannel.Urgency = .live)
        /// Of the chains that somebody outside says they hold of the membership lane, these end in what is not here.
        case lacking(PeerHandle, ConversationID, [DeviceID])
        /// What a peer sent is malformed in a way that only the node could tell.
        case offended(PeerHandle, reason: String)
        /// A batch that ``Effect/admit(_:_:_:_:verified:isAnswer:)`` handed over was judged.
        case admissionFinished(PeerHandle, ConversationID, Lane, bytes: Int, outcome: Outcome)
        /// No batch of a peer waits for others any more in a lane: all were taken.
        case released(PeerHandle, ConversationID, Lane)
        /// Lanes that took no more may have room now.
        case roomMade
        /// The next batch of an answer, or its end.
        case served(PeerHandle, ConversationID, Lane, batch: [UInt8]?)
        /// The answer that ends now lacks what could not be read.
        case notServed(PeerHandle, ConversationID, Lane)
        /// More or less than before waits to be sent on a connection.
        case congested(PeerHandle, Congestion)
        /// The host of a peer that should have answered has acknowledged that it was asked.
        case acknowledged(PeerHandle)
        /// The device at the other end of a connection has answered a dial of this node's at another place.
        case answeredElsewhere(PeerHandle)
        /// What the node tells of itself changed.
        case introduced([UInt8], port: UInt16)
        /// Time has passed.
        case tick
    }

    /// Where operations came from that are durable now.
    public enum CommitOrigin: Sendable {
        /// Written here.
        case local(Push)
        /// Pushed by their author, who did not reach these peers.
        case pushed(unreached: Set<PeerHandle>)
        /// Asked for, or waited for others.
        case fetched

        /// What is sent to every member at once.
        var push: Push? {
            if case .local(let push) = self { push } else { nil }
        }

        /// Who may lack them although their author pushed them; nil for everybody.
        var unreached: Set<PeerHandle>? {
            switch self {
            case .local: []
            case .pushed(let unreached): unreached
            case .fetched: nil
            }
        }
    }

    /// Operations to send to every member at once.
    public struct Push: Sendable {
        let batch: Batch
        let readers: Set<DeviceID>?
        let reached: [UInt8]

        /// Describes what was written here.
        ///
        /// - Parameters:
        ///   - readers: the devices that may read closed bodies; nil if there are none.
        ///   - reached: a bit for each reader of the view, whether they are sent it; passed on unread.
        public init(batch: Batch, readers: Set<DeviceID>?, reached: [UInt8] = []) {
            self.batch = batch
            self.readers = readers
            self.reached = reached
        }
    }

    /// What became of a received batch.
    public enum Outcome: Hashable, Sendable {
        /// Some of it is new in the log.
        case taken
        /// All of it was in the log.
        case duplicate
        /// It waits for other operations.
        case pending
        /// It was ignored.
        case ignored
        /// The lane takes no more now: that is asked again later, less and less often.
        case noRoom
        /// It is malformed: an offense of the sender.
        case refused
        /// It could not be stored.
        case notStored
        /// The lane takes nothing until then.
        case resting(until: Instant)
    }

    /// What the replicator asks of the node.
    public enum Effect: Sendable {
        case send(PeerHandle, [UInt8], SecureChannel.Urgency)
        /// A batch came, verified or not yet.
        case admit(
            PeerHandle, ConversationID, Lane, [UInt8], verified: Result<Batch, MalformedBytes>?, Delivery)
        /// Begin an answer beyond what the peer holds, or go on with it (nil).
        case serve(PeerHandle, ConversationID, Lane, beyond: Known?, isRestricted: Bool)
        case open(ConversationID, ConversationRoot, from: PeerHandle)
        case introduce(PeerHandle, [UInt8], port: UInt16)
        /// A peer says that their user may join by an invite by code. Nothing of it is verified.
        case examine(PeerHandle, ConversationID, OperationID, InviteProof)
        /// Somebody outside says they hold these chains of the membership lane: which of them end in what is not here?
        case seek(PeerHandle, ConversationID, [PeerMessage.ChainEntry])
        /// From now on the peer's messages name a conversation by this place in its list of tags.
        case recognized(PeerHandle, ConversationID, slot: Int)
        /// Nothing came of a conversation that somebody who is gone had told of.
        case forgotten(ConversationID)
        /// A peer says something of a conversation, which it may.
        case heardOf(ConversationID, Lane, ConversationMessage, from: PeerHandle)
        /// A peer says something that is about no conversation; of what it carries this was found already.
        case heard(PeerMessage, from: PeerHandle, ReceivedMessage.Verified?)
        case disconnect(PeerHandle, reason: String)
        case ban(DeviceID)
        case stalled(PeerHandle, ConversationID, Lane)
        /// A member says that they hold this device's own chain of a membership lane as far as this.
        case held(ConversationID, through: UInt64, by: PeerHandle)
        case wake(at: Instant)
    }

    /// Why a peer sent a batch.
    public enum Delivery: Hashable, Sendable {
        /// It was asked for the lane, and says that this is the answer.
        case answer
        /// Nobody asked for it. Its author says which readers of its view they reached: a bit for each.
        case push(reached: [UInt8])
    }

    /// What a peer holds of a lane, as far as a question speaks of it.
    public struct Known: Hashable, Sendable {
        /// What is held of each chain that is named.
        public var chains: [DeviceID: KnownChain]
        /// The devices of which nothing is held where they are not named. Nothing is asked about others that are not
        /// named.
        public var covered: DeviceRange?

        /// How many chains and ends of branches it names.
        var weight: Int { chains.values.reduce(chains.count) { $0 + $1.ends.count } }

        /// What is held of a chain; all of it where nothing is asked about it.
        public func chain(of device: DeviceID) -> KnownChain {
            chains[device] ?? .through(covered?.contains(device) == true ? 0 : .max)
        }
    }

    /// How long a difference may be only an operation on its way.
    static let grace: Duration = .milliseconds(50)
    /// How many lengths of chains are as long as the name of one.
    static let lengthsPerName = 12
    /// How often a lane is advertised at most.
    static let advertInterval: Duration = .milliseconds(50)
    /// Bytes of answers that may be unapplied at a peer.
    static let credit = 1024 * 1024
    /// Chains and ends of branches in questions of a peer that wait until it has applied earlier answers.
    static let maximumWaitingDevices = 2 * PeerMessage.maximumBranches
    /// How long to wait after something could not be stored.
    static let storageBackoff: Duration = .seconds(5)
    /// How long a peer is left alone whose answers bring nothing: a difference may stay forever, because the peer lies,
    /// or because they may not have what is held here.
    static let backoff = Backoff(from: grace * 8, to: .seconds(30))
    /// From a few messages on a quiet network to the history of years on a slow one.
    private static let pullBounds: [Duration] =
        [10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000, 300_000, 1_800_000].map {
            .milliseconds($0)
        }
    /// Proofs of one peer that are remembered, the latest: each costs a signature check, again and again. Also as many
    /// as they may show at once.
    public static let maximumProofs = 16
    /// How long it takes until one more proof is looked at.
    static let proofInterval: Duration = .seconds(1)

    struct LaneID: Hashable, Comparable, Sendable {
        let conversation: ConversationID
        let lane: Lane
        static func < (l: LaneID, r: LaneID) -> Bool { (l.conversation, l.lane) < (r.conversation, r.lane) }
    }

    struct Conversation: Sendable {
        var root: ConversationRoot
        var audience: [UserID: MembershipStatus]
    }

    let device: Device
    let replicaEpoch: [UInt8]
    /// What every peer is told first, and again when it changes.
    var hello: (introduction: [UInt8], port: UInt16)
    var peers = PeerTable()
    var conversations: [ConversationID: Conversation] = [:]
    var lanes: [LaneID: LaneState] = [:]
    /// What is shown everybody, to be let in.
    var presented: [ConversationID: (invite: OperationID, proof: InviteProof)] = [:]
    /// What members said they hold of the content of a conversation beyond what is here, also those who are gone.
    var claims: [ConversationID: [DeviceID: [DeviceID: UInt64]]] = [:]
    /// When the event came that is looked at.
    var now = Instant(sinceStart: .zero)
    var lastTick: Instant?
    /// When something is to be done next. What was dropped since it was planned costs a tick that finds nothing to do.
    var wakeAt: Instant?
    /// When peers are told what is held here whatever was pushed, and which.
    var sampling: Sampling
    /// When something is to be done about a peer next.
    var due: [PeerHandle: Instant] = [:]
    /// Who is there, as far as several peers together tell.
    var watch = Watch()
    /// How long it took from asking for what was lacking of a lane to having it; only where something was lacking.
    public internal(set) var pullTimes = DurationHistogram(bounds: Self.pullBounds)

    /// Begins without peers and conversations.
    ///
    /// - Parameters:
    ///   - replicaEpoch: 16 random bytes minted with the database.
    ///   - introduction: what the node tells of itself, which it passes on unread.
    ///   - seed: decides by chance whom to ask; nobody else can tell it.
    public init(device: Device, replicaEpoch: [UInt8], introduction: [UInt8], seed: UInt64 = 0) {
        self.device = device
        self.replicaEpoch = replicaEpoch
        hello = (introduction, 0)
        sampling = Sampling(of: device.id, seed: seed)
    }
}
