import Conversations
import Cryptography
import NodeCore
import OperationLog
import Replication
import Time

/// A simulated machine: what survives its process, and its process while it runs.
final class Host {
    /// What a host is doing.
    enum State {
        /// The host is nobody yet: it waits to become a device of a user.
        case blank
        /// The process runs.
        case running
        /// The process was killed; the machine answers for it.
        case killed
        /// The machine is off: it answers nothing.
        case off
    }

    /// What came and waits for the node.
    struct Inbox {
        /// Messages that the node has had no time for, each with its connection.
        var messages: [(handle: PeerHandle, side: Wire.Side, message: [UInt8])] = []
        /// Until when the node is busy with the last of them.
        var busyUntil = 0
    }

    let index: Int
    let name: String
    let keys: NodeCore.Keys
    /// The device's key by itself: a liar signs with it what no node would.
    let deviceKey: SigningKey
    /// What the keys were made from: none of it may ever be seen outside.
    let secrets: [[UInt8]]
    let disk: VirtualDisk
    let isLiar: Bool

    /// A device that this host is making one of its user's, and that has not stored yet what it needs.
    var linking: DeviceID?
    var state: State
    /// The node, while the process runs.
    var core: NodeCore?
    /// How often the process was started: what was meant for an earlier life is dropped.
    var life = 0
    /// When the process was started, in microseconds.
    var started = 0
    /// How far the clock that people set is off, in milliseconds.
    var clockShift: Int64 = 0
    /// Until when the process does not get to run.
    var frozenUntil = 0
    var plannedWake: Int?
    /// Carry out so many effects more, then the process is killed.
    var remainingEffects: Int?
    /// How long the machine stays down after the next failure, in microseconds.
    var downtime = 0

    var ends: [PeerHandle: Wire.Side] = [:]
    /// Operations that the node said it holds: to its user, or by taking them from a peer.
    var acknowledged: Set<OperationID> = []
    /// How far the user has read the chains of conversations; and how far, if what failed was done nevertheless.
    var read: [ConversationID: [DeviceID: UInt64]] = [:]
    var mayHaveRead: [ConversationID: [DeviceID: UInt64]] = [:]
    /// Messages that their author took back before anybody had them. A process that was killed may have forgotten to
    /// whom it gave one, so those of the first life only.
    var canceled: Set<OperationID> = []
    /// Messages that had failed and that their author put away, with what is about them.
    var dismissed: Set<OperationID> = []
    /// An old copy of the disk, and what was acknowledged then.
    var backup: (image: DiskImage, acknowledged: Set<OperationID>)?
    /// Whether the disk was once put back to an old state: from then on the device may contradict itself.
    var wasPutBack = false
    /// Until when the disk is, or was, in trouble.
    var troubledUntil = 0
    var inbox = Inbox()
    /// Places that are being dialed.
    var dialed: Set<String> = []
    /// The heads from which who stole the device goes on.
    var stolenHeads: [ConversationID: [OperationID]] = [:]
    /// Keys that a liar made besides its node.
    var ownKeys: [ConversationID: [EpochKey]] = [:]
    /// Until when a liar does what, by the kind of lie.
    var activeAttacks: [Step.Kind: Int] = [:]
    /// How a liar silences others, while they do.
    var silencing: Silencing?

    /// Makes up a host.
    ///
    /// - Parameters:
    ///   - owner: the host on which the user began of whom this one is to become a device; nil if one begins here.
    ///   - holdsRoot: whether it is given that user's root as well.
    init(index: Int, isLiar: Bool, seed: UInt64, owner: Host? = nil, holdsRoot: Bool = false) {
        self.index = index
        self.isLiar = isLiar
        state = owner == nil ? .killed : .blank
        name =
            owner.map { "\($0.name)'s host \(index + 1)" }
            ?? Self.names[index % Self.names.count]
            + (index < Self.names.count ? "" : " \(index / Self.names.count + 1)")
        var random = SeededRandom(seed: seed, part: UInt64(index) + 1)
        secrets = (0..<4).map { _ in random.bytes(SigningKey.seedByteCount) }
        guard let root = SigningKey(seed: secrets[0]), let device = SigningKey(seed: secrets[1]),
            let channelKey = AgreementKey(secret: secrets[2])
        else { preconditionFailure("32 bytes are a key") }
        deviceKey = device
        keys = NodeCore.Keys(
            root: owner == nil ? root : holdsRoot ? owner?.keys.root : nil,
            author: Author(user: owner?.user ?? UserID(root.verifyingKey), key: device),
            channelKey: channelKey,
            sealing: StorageKey(SecretBytes(secrets[3])))
        disk = VirtualDisk(replicaEpoch: random.bytes(16))
    }

    private static let names = [
        "Alice", "Bob", "Carol", "Dave", "Erin", "Frank", "Grace", "Heidi", "Ivan", "Judy", "Kim", "Leo", "Mallory",
        "Niaj", "Olivia", "Peggy",
    ]

    /// The port every simulated node listens on.
    static let port: UInt16 = 47_470

    /// Whether the host is a device of its user by now. One on which a user began is from the start.
    var isLinked: Bool {
        switch state {
        case .blank: false
        case .running, .killed, .off: true
        }
    }

    /// Where the host is.
    var endpoint: Endpoint {
        Endpoint(
            host: "10.0.\(index / Self.hostsPerNetwork).\(index % Self.hostsPerNetwork + 1)", port: Self.port)
    }

    /// As many as the last part of an address tells apart.
    private static let hostsPerNetwork = 250

    /// The number of the host at an address; nil if there is none.
    static func index(at address: String, among count: Int) -> Int? {
        let host = address.prefix { $0 != ":" }
        let parts = host.split(separator: ".").suffix(2).compactMap { Int($0) }
        guard let last = parts.last, last >= 1 else { return nil }
        // Whoever makes an address up says anything there.
        let number = (count > hostsPerNetwork && parts.count == 2 ? parts[0] * hostsPerNetwork : 0) + last
        return (1...count).contains(number) ? number - 1 : nil
    }

    /// The user.
    var user: UserID { keys.author.device.user }

    /// The device.
    var device: DeviceID { keys.author.device.id }

    /// Both clocks at a time of the simulation.
    func moment(at now: Int) -> Moment {
        Moment(
            monotonic: Instant(sinceStart: .microseconds(now - started)),
            wall: Timestamp(clamping: Self.epoch + Int64(now / 1_000) + clockShift))
    }

    /// The start of every simulation by an honest clock: 2026-11-21.
    private static let epoch: Int64 = 1_795_219_200_000
}
