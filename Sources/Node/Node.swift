import Conversations
import Cryptography
import Dispatch
import Foundation
import Logging
import OperationLog
import Replication
import SQLiteStore
import StreamTransport

/// A running node: it joins the cores that decide to the shells that act.
///
/// Everything happens on one serial queue, and no transition contains a suspension: a command or a received batch changes copies,
/// commits them to disk, keeps the copies, then tells watchers and peers. Commands return when what they did is durable.
public actor Node {
    /// Texts one ``send(_:to:replyTo:clientID:)`` may commit.
    public static let textsPerRequest = 4_000
    /// The version users see.
    public static let version = "0.1.0"

    nonisolated let executor: DispatchExecutor
    /// The node's own queue.
    nonisolated public var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Where the local API listens.
    nonisolated public let socketPath: String
    nonisolated let configuration: NodeConfiguration
    nonisolated let home: Home
    nonisolated let logger: Logger
    /// This node's user.
    nonisolated let me: UserID

    let store: ReplicaStore
    let started = ContinuousClock.now
    var random = SystemRandom()
    var card: ProfileCard
    var contacts = People()
    var replicas: [ConversationID: Replica] = [:]
    var events = EventHub()
    /// Why the last commit failed, until one succeeds.
    var storageTrouble: StoreError?
    var requests: [String: [OperationID]] = [:]
    var requestOrder: [String] = []

    var replicator: Replicator
    var pending = PendingBatches()
    /// The batch of the message being received, verified beforehand.
    var preparedBatch: Result<Batch, MalformedBytes>?
    var cursors: [ServingKey: ServingCursor] = [:]
    var links: [PeerHandle: Link] = [:]
    var lastHandle: UInt64 = 0
    var directory: PeerDirectory
    var listener: StreamListener?
    var beacons: BeaconSocket?
    var schedule: BeaconSchedule
    var wake: (any DispatchSourceTimer)?
    var plannedWake: Instant?
    /// Where connected devices can be dialled.
    var addressBook: [DeviceID: String] = [:]
    /// The start of each device that was last heard of.
    var heardInstances: [DeviceID: UInt64] = [:]
    /// For each own conversation and other device, how much of this device's content it is known to hold.
    var holders: [ConversationID: [DeviceID: UInt64]] = [:]
    /// Connections turned away since that was last reported.
    var turnedAway: (count: Int, reported: Instant?) = (0, nil)
    var isStopped = false

    /// Opens a home, making it at first start; nothing is sent or heard before ``start()``.
    ///
    /// - Throws: `home_in_use`, `permission_denied`, `damaged_home`, `newer_database`, `disk_full`, `storage_failed`,
    ///   `name_invalid`, `bad_configuration`.
    public static func open(_ configuration: NodeConfiguration, logger: Logger) async throws(NodeError) -> Node {
        do throws(CryptographyError) {
            try Sodium.start()
        } catch {
            throw NodeError(
                .badConfiguration, "The installed libsodium cannot be used: \(error.code)",
                hint: "Install libsodium 1.0.18 or newer.")
        }
        var random = SystemRandom()
        let home = try Home(folder: configuration.home, random: &random)
        let node = try Node(configuration, home: home, logger: logger)
        try await node.restore()
        return node
    }

    private init(_ configuration: NodeConfiguration, home: Home, logger: Logger) throws(NodeError) {
        self.configuration = configuration
        self.home = home
        self.logger = logger
        executor = DispatchExecutor(label: "moot.node")
        socketPath = configuration.runtime + "/moot.sock"
        let user = home.author.device.user
        me = user
        var random = SystemRandom()
        try home.checkThatChainsGoOn()
        do throws(StoreError) {
            store = try ReplicaStore(at: home.database, replicaEpoch: random.bytes(16))
            card = try Self.ownCard(in: store, home: home, name: configuration.name)
        } catch {
            throw NodeError(error)
        }
        try home.noteThatChainsBegan()
        let peers = try configuration.peers.map { text throws(NodeError) in
            do throws(TransportError) {
                _ = try HostAndPort(text)
            } catch {
                throw NodeError(.badConfiguration, "\"\(text)\" is no HOST:PORT", hint: "Write --peer 192.0.2.7:47470.")
            }
            return text
        }
        replicator = Replicator(
            device: home.author.device, replicaEpoch: store.replicaEpoch, card: card.encoded)
        directory = PeerDirectory(own: home.author.device.id, staticPeers: peers)
        schedule = BeaconSchedule(instance: random.next())
    }

    /// Reads the own card, or makes one at first start.
    private static func ownCard(
        in store: ReplicaStore, home: Home, name: String?
    ) throws(StoreError) -> ProfileCard {
        let user = home.author.device.user
        if let seen = try store.profile(of: user) { return seen.card }
        let identity = IdentityRecord(
            root: home.root, serial: 1,
            devices: [
                IdentityRecord.Entry(device: home.author.device, name: ProcessInfo.processInfo.hostName.prefixed(60))
            ])
        let candidates = [name, NSUserName(), "Somebody"].compactMap { $0 }
        for candidate in candidates {
            if let card = ProfileCard(root: home.root, version: 1, name: candidate, identity: identity) {
                _ = try store.save(card, seenAt: Clock.now)
                _ = try store.save(identity)
                return card
            }
        }
        preconditionFailure("the last candidate is a name")
    }

    /// Rebuilds everything in memory from the log on disk.
    private func restore() throws(NodeError) {
        do throws(StoreError) {
            for record in try store.identityRecords() { _ = contacts.learn(record) }
            for seen in try store.profiles() {
                _ = contacts.learn(seen.card)
                contacts[seen.card.user].lastSeen = seen.seenAt.milliseconds
            }
            for record in store.conversations() { open(try restore(record)) }
        } catch {
            throw NodeError(error)
        }
        if let name = configuration.name, name != card.name { _ = try setProfile(name: name) }
    }

    private func restore(_ record: ConversationRecord) throws(StoreError) -> Replica {
        let stored = try store.log(of: record.id)
        var replica = Replica(conversation: record.id, root: record.root)
        do throws(MalformedBytes) {
            try replica.log.restore(
                membership: stored.membership, contentFrontier: stored.contentFrontier,
                contentHeads: stored.contentHeads)
        } catch {
            throw .corrupted("an operation of conversation \(record.id) does not decode: \(error)")
        }
        replica.group.insert(stored.membership)
        replica.lastActivity = stored.contentHeads.map(\.effectiveTime).max() ?? replica.group.lastChange
        replica.contentCount = try store.messageCount(in: record.id, after: nil)
        return replica
    }

    /// Begins to listen, to send beacons and to dial.
    ///
    /// - Throws: `port_in_use`, `address_unavailable`, `permission_denied`, `bad_configuration`, `disk_full`, `storage_failed`.
    public func start() throws(NodeError) {
        try listen()
        if configuration.discovery { startDiscovery() }
        // What was owed when the node stopped.
        for conversation in replicas.keys.sorted() { try ratifyIfOwed(in: conversation) }
        logger.info("node is up", metadata: ["device": "\(home.author.device.id)", "port": "\(listeningPort)"])
        tick()
    }

    /// Says goodbye to peers and closes everything. Nothing acknowledged is lost by not calling it.
    public func stop() {
        guard !isStopped else { return }
        isStopped = true
        wake?.cancel()
        listener?.stop()
        beacons?.stop()
        for link in links.values { link.connection.close() }
        links = [:]
        events.finish()
        do throws(StoreError) {
            try store.close()
        } catch {
            logger.error("the database did not close", metadata: ["error": "\(error)"])
        }
        home.lock.release()
    }

    /// Monotonic time for the cores.
    var now: Instant { Instant(sinceStart: started.duration(to: .now)) }
}

extension String {
    /// At most so many bytes of UTF-8, cut between characters.
    func prefixed(_ limit: Int) -> String {
        var text = self
        while text.utf8.count > limit { text.removeLast() }
        return text
    }
}
