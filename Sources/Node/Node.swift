import BlobStore
import Blobs
import Conversations
import Cryptography
import Dispatch
import Foundation
import KeyStore
import Logging
import NodeCore
import OperationLog
import PhotoWorkers
import Replication
import SQLiteStore
import Storage
import StreamTransport
import Time

/// A running node: it joins the core that decides to the shells that act.
///
/// Everything happens on one serial queue, and no transition contains a suspension. Commands return when what they did
/// is durable.
public actor Node {
    /// The version users see.
    public static let version = "1.0.0"

    nonisolated let executor: DispatchExecutor
    /// The node's own queue.
    nonisolated public var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Where the local API listens.
    nonisolated public let socketPath: String
    /// What it was started with, and was told since.
    var configuration: NodeConfiguration
    nonisolated let home: Home
    nonisolated let logger: Logger

    let store: ReplicaStore
    /// The files.
    nonisolated let blobs: BlobFolder
    /// Makes photos of pictures.
    nonisolated let photos = PhotoWorker { place, own in
        // Whoever put the node's own program there is believed.
        let other = PathOwner.redirecting(place)
        return other == nil || other == PathOwner.redirecting(own)
    }
    /// Reads chunks for peers.
    nonisolated let reading = DispatchQueue(label: "moot.chunks", qos: .utility)
    /// Everything that is decided.
    var core: NodeCore
    let started = ContinuousClock.now

    var events = EventHub(startedAt: Clock.now)
    /// What the user is to be told.
    var notifier = Notifier()
    var notificationTimer = WakeTimer()

    /// The files that were uploaded and not sent yet.
    var uploads: [BlobAddress: Upload] = [:]
    /// What is remembered for what clients are told.
    var told = ToldLately()

    /// Who waits for the end of a search that began with a contact code.
    var searchers: [UserID: [CheckedContinuation<SearchOutcome, Never>]] = [:]

    /// Who waits for what peers answer about reaching this node, by the number of the question.
    var reachabilityQuestions: [UInt64: CheckedContinuation<ReachabilityReport?, Never>] = [:]

    /// The hosts that are about to become devices of the user.
    var deviceLinks: [String: DeviceLink] = [:]

    /// What is known of the full-text index.
    var indexing = Indexing()

    var connections: [PeerHandle: Connection] = [:]
    /// What peers sent and was not looked at yet.
    nonisolated let inboundQueue = InboundQueue()
    /// How fast what each person pushes is taken.
    var rateLimits = PushRateLimits()
    /// What came of messages that have not come whole.
    nonisolated let partialMessages = PartialMessages()
    var listener: StreamListener?
    var beacons: BeaconSocket?
    var wake = WakeTimer()
    /// What the log said lately.
    var repeatedLines = RepeatedLines()
    var isStopped = false
    let locking = AsyncStream.makeStream(of: Void.self)

    /// Opens a home, making it at first start; nothing is sent or heard before ``start()``.
    ///
    /// - Parameter passphrase: What guards the home's keys; a home that is made gets this one.
    /// - Throws: `home_in_use`, `permission_denied`, `damaged_home`, `newer_database`, `disk_full`, `storage_failed`,
    ///   `name_invalid`, `bad_configuration`, `passphrase_needed`, `wrong_passphrase`, `invalid_operation` for a
    ///   passphrase where none is set.
    public static func open(
        _ configuration: NodeConfiguration, passphrase: Passphrase? = nil, logger: Logger
    ) async throws(NodeError) -> Node {
        do throws(CryptographyError) {
            try Sodium.start()
        } catch {
            throw NodeError(
                .badConfiguration, "The installed libsodium cannot be used: \(error.code)",
                hint: "Install libsodium 1.0.18 or newer.")
        }
        var random = SystemRandom()
        let home = try Home(folder: configuration.home, passphrase: passphrase, random: &random)
        if home.keyring.erasedLeftover {
            logger.warning(
                "an interrupted change of the passphrase was ended",
                metadata: ["passphrase": "\(home.isPassphraseProtected ? "set" : "none")"])
        }
        let node = try Node(configuration, home: home, logger: logger)
        // Who has ended their identity has no name any more, whatever the command line of the service says.
        // Nor does a new device sign anything before it is one.
        if let name = configuration.name, await !node.isDeleted, !home.isNewDevice {
            _ = try await node.setProfile(name: name)
        }
        return node
    }

    private init(_ configuration: NodeConfiguration, home: Home, logger: Logger) throws(NodeError) {
        self.configuration = configuration
        self.home = home
        self.logger = logger
        executor = DispatchExecutor(label: "moot.node")
        socketPath = configuration.runtime + "/moot.sock"
        var random = SystemRandom()
        try Self.check(peers: configuration.peers)
        try home.requireDatabase()
        try home.requireRootOfNewDevice()
        do throws(StoreError) {
            Self.removeDatabaseCopies(in: home.folder)
            store = try Self.openStore(
                at: home.database, replicaEpoch: random.bytes(16), isRestored: home.isNewDevice, logger)
            indexing.isWanted = Self.wantsIndex(configuration, home)
            try store.setIndexed(indexing.isWanted)
            // A clock that was ahead must not silence the device until that time. One that waits to be a device is none
            // yet.
            notifier.newsBegin = home.isNewDevice ? Clock.now : try store.deviceSince().map { min($0, Clock.now) }
            blobs = try BlobFolder(at: home.folder + "/blobs", quota: configuration.filesQuota)
            core = try NodeCore(
                keys: home.keys, storage: store, blobs: blobs,
                names: [configuration.name, configuration.firstName, NSUserName()].compactMap { $0 },
                deviceName: ProcessInfo.processInfo.hostName.prefixed(60), staticPeers: configuration.peers,
                isNewDevice: home.isNewDevice, formerDevice: home.formerDevice, random: random,
                at: Moment(monotonic: Instant(sinceStart: .zero), wall: Clock.now))
        } catch {
            throw NodeError(error)
        }
        if core.isNewDevice, let former = core.formerDevice { try home.note(formerDevice: former) }
        try home.markInUse()
        home.lock.note(socket: socketPath)
    }

    /// Opens the database. What an earlier version wrote is carried over first, which may take minutes: then the log
    /// says so.
    private static func openStore(
        at path: String, replicaEpoch: [UInt8], isRestored: Bool, _ logger: Logger
    ) throws(StoreError) -> ReplicaStore {
        let began = ContinuousClock.now
        return try ReplicaStore(
            at: path, replicaEpoch: replicaEpoch, isRestored: isRestored, program: version,
            upgrading: { step in
                switch step {
                case .copying(let from, let to, let copy):
                    logger.notice(
                        "The database is of an earlier version. It is copied, and then carried over to this one",
                        metadata: ["from": "\(from)", "to": "\(to)", "copy": "\(copy)"])
                case .carryingOver: logger.notice("The database is being carried over to this version")
                case .done:
                    let seconds = Double((ContinuousClock.now - began) / .milliseconds(1)) / 1_000
                    logger.notice(
                        "The database was carried over to this version, and its copy removed",
                        metadata: ["seconds": "\(seconds)"])
                }
            })
    }

    static func check(peers: [String]) throws(NodeError) {
        for text in peers {
            do throws(TransportError) {
                _ = try HostAndPort(text)
            } catch {
                throw NodeError(.badConfiguration, "\"\(text)\" is no HOST:PORT", hint: "Write 192.0.2.7:47470.")
            }
        }
    }

    /// Begins to listen, to send beacons and to dial.
    ///
    /// - Throws: `port_in_use`, `address_unavailable`, `permission_denied`, `bad_configuration`, `disk_full`,
    ///   `storage_failed`.
    public func start() throws(NodeError) {
        try listen()
        if configuration.discovery { startDiscovery() }
        warnOfMissingPlaces()
        startNotificationSinks()
        logger.info("node is up", metadata: ["device": "\(core.device.id)", "port": "\(listeningPort)"])
        try change { core, moment throws(NodeError) in
            if configuration.isOnlyCopy || home.isToldToBegin { try core.continueAsOnlyCopy(at: moment) }
            try core.start(onPort: listeningPort, discovers: beacons != nil, program: Self.version, at: moment)
        }
        do throws(NodeError) {
            try withdrawUnfinishedLink()
        } catch {
            logger.warning(
                "a host that was not linked to the end is still a device", metadata: ["error": "\(error.message)"])
        }
        indexSoon()
    }

    /// Says goodbye to peers and closes everything. Nothing acknowledged is lost by not calling it.
    public func stop() {
        guard !isStopped else { return }
        change { $0.stop(at: $1) }
        isStopped = true
        wake.cancel()
        notificationTimer.cancel()
        for sink in configuration.notificationSinks { sink.stop() }
        listener?.stop()
        beacons?.stop()
        for connection in connections.values { connection.stream.close() }
        connections = [:]
        events.finish()
        endLinks()
        for user in searchers.keys { tellSearchers(of: user, .nobody) }
        endReachabilityQuestions()
        do throws(StoreError) {
            try store.close()
        } catch {
            logger.error("the database did not close", metadata: ["error": "\(error)"])
        }
        home.lock.release()
    }

    /// Returns when the node has come to it, behind everything that waits on its queue: whoever watches learns that it
    /// is not stuck.
    public func takeTurn() {}

    /// Monotonic time for the core.
    var now: Instant { Instant(sinceStart: started.duration(to: .now)) }
}

extension Node {
    /// This node's user.
    var me: UserID { core.me }
    /// What others see of the user.
    var card: ProfileCard { core.card }
    /// Everybody this node has heard of.
    var contacts: People { core.contacts }
    /// The conversations.
    var replicas: [ConversationID: Replica] { core.replicas }
}

extension String {
    /// At most so many bytes of UTF-8, cut between characters.
    func prefixed(_ limit: Int) -> String {
        var text = self
        while text.utf8.count > limit { text.removeLast() }
        return text
    }
}
