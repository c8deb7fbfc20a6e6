import Blobs
import Conversations
import Cryptography
import OperationLog
import Replication
import Storage
import Time

/// Everything a node decides, without clock, sockets, files or database of its own.
///
/// Whoever owns it tells it what happens, at which moment, with ``handle(_:at:)``, and what the user wants, each with a
/// method of its own. Then it carries out what ``takeEffects()`` returns, in order. The daemon and the simulator own
/// the same type. No transition is left half done: a command or a received batch changes copies, commits them to the
/// storage, keeps the copies, and only then has effects.
public struct NodeCore {
    /// What names a node forever.
    public struct Keys: Sendable {
        /// The key that certifies the user's devices; nil where another device holds it.
        public let root: SigningKey?
        /// The device's own key and id.
        public let author: Author
        /// The X25519 key of the channel.
        public let channelKey: AgreementKey
        /// The key under which secrets lie in the storage.
        public let sealing: StorageKey

        /// Puts the keys of a node together.
        public init(root: SigningKey?, author: Author, channelKey: AgreementKey, sealing: StorageKey) {
            self.root = root
            self.author = author
            self.channelKey = channelKey
            self.sealing = sealing
        }
    }

    /// What every machine may look at.
    var context: NodeContext
    /// Who has which files and who gets them.
    var fileExchange: FileExchange
    /// Who received and read what.
    var receiptExchange = ReceiptExchange()
    /// Who is writing what others will read.
    var typingExchange = TypingExchange()
    /// Which batches wait, and how far peers were served.
    var laneExchange = LaneExchange()
    /// Asks for bodies that are missing.
    var bodyFetcher = BodyFetcher()
    /// How much room conversations have here.
    var bodyQuota = BodyQuota()
    /// The secrets to which others seal keys.
    var keyManager: KeyManager
    /// Of which keys to complain, and whose complaints to answer.
    var keyComplaints = KeyComplaints()
    /// When decisions that cost a lot are taken again.
    var admissionPace = AdmissionPace()
    /// What this device wants of its user's other devices.
    var ownDevices = OwnDevices()
    /// How much is heard and passed on of which devices people took out.
    var tombstoneBudgets = TombstoneBudgets()
    /// What is erased when.
    var retention = Retention()
    /// The invites by code of this user, and those they want to join by.
    var inviteCodes = InviteCodes()
    /// People looked for at the addresses that their contact codes name.
    var contactSearches = ContactSearches()
    /// Whose cards are passed on to whom.
    var cardExchange = CardExchange()
    /// What is remembered of strangers for a moment.
    var strangers = Strangers()
    /// What peers and this node ask each other about reaching one another.
    var reachabilityExchange = ReachabilityExchange()
    /// Who is dialed, and who is told where this node is.
    var discovery: PeerDiscovery
    /// Decides what to tell, ask and send every peer.
    public internal(set) var replicator: Replicator
    /// What it asked for and is not done yet, in order; nil while nothing of it is under way.
    var replicatorRequests: ArraySlice<Replicator.Effect>?
    var random: any RandomNumberGenerator
    var effects: [Effect] = []

    /// Rebuilds everything in memory from the log in storage; nothing is sent before
    /// ``start(onPort:discovers:program:at:)``.
    ///
    /// - Parameters:
    ///   - names: what to call the user at first start: the first of them that can be chosen, else "Somebody".
    ///   - deviceName: what to call the device at first start.
    ///   - staticPeers: places to keep dialing, `host:port` each.
    ///   - isNewDevice: whether the home was recovered or restored, and the effect ``Effect/deviceCertified`` did not
    ///     come since.
    ///   - formerDevice: what ``formerDevice`` was at the first start of such a home; nil for the first.
    ///   - random: for nonces, keys of channels, and waiting times.
    /// - Throws: ``StoreError``.
    public init(
        keys: Keys, storage: any ReplicaStorage, blobs: any BlobStorage, names: [String], deviceName: String,
        staticPeers: [String], isNewDevice: Bool = false, formerDevice: DeviceID? = nil,
        random: any RandomNumberGenerator, at moment: Moment
    ) throws(StoreError) {
        let card = try Self.ownCard(
            in: storage, keys: keys, names: names, deviceName: deviceName, isNewDevice: isNewDevice, at: moment)
        context = NodeContext(keys: keys, storage: storage, moment: moment, card: card)
        context.formerDevice = formerDevice
        context.isNewDevice = isNewDevice && !card.isDeletion && (card.version == 0 || keys.root == nil)
        // It was certified, and the node ended before that was noted.
        if isNewDevice, !context.isNewDevice { effects.append(.deviceCertified) }
        self.random = random
        keyManager = try KeyManager(in: storage, keys: keys, at: moment.wall, using: &self.random)
        let device = keys.author.device
        let introduction = Introduction(card: card, wraps: [keyManager.wrapKeys.record])
        replicator = Replicator(
            device: device, replicaEpoch: storage.replicaEpoch, introduction: introduction.encoded,
            seed: self.random.next())
        discovery = PeerDiscovery(own: device.id, staticPeers: staticPeers, instance: self.random.next())
        fileExchange = FileExchange(storage: blobs, seed: self.random.next())
        try restore()
    }

    /// What to do because of what happened, in order; asked for after every call that says what happened.
    public mutating func takeEffects() -> [Effect] {
        for change in contacts.takeDeviceChanges() where keeps(change.user) { show(.devices(change)) }
        defer { effects = [] }
        return effects
    }

    mutating func note(_ event: Diagnostic) { effects.append(.note(event)) }

    /// The same of somebody who could come and go all the time, under ever new names.
    mutating func note(_ event: Diagnostic, isStranger: Bool) {
        if !isStranger || strangers.diagnostics.take(at: now) { note(event) }
    }

    mutating func show(_ event: ClientEvent) { effects.append(.show(event)) }

    /// Reads the card of this user, or makes one at first start.
    private static func ownCard(
        in storage: any ReplicaStorage, keys: Keys, names: [String], deviceName: String, isNewDevice: Bool,
        at moment: Moment
    ) throws(StoreError) -> ProfileCard {
        let device = keys.author.device
        let names = names.filter { (try? DisplayName.chosen($0)) != nil }
        let seen = try storage.profile(of: device.user)?.card
        if isNewDevice, let root = keys.root, seen?.isDeletion != true, seen?.identity.certifies(device.id) != true {
            return provisionalCard(
                of: device, root: root, called: (seen.map { [$0.name] } ?? []) + names, photo: seen?.photo ?? [])
        }
        if let seen { return seen }
        guard let root = keys.root else {
            throw .corrupted("the card of this device's user is gone, and another device signs it")
        }
        let identity = IdentityRecord(
            root: root, serial: 1, devices: [IdentityRecord.Entry(device: device, name: deviceName)])
        let card = card(called: names) { name in
            ProfileCard(root: root, version: 1, name: name, photo: [], identity: identity)
        }
        try storage.save(card, seenAt: moment.wall)
        return card
    }

    /// The first card that can be signed under one of some names, at last under "Somebody".
    static func card(called names: [String], signed sign: (String) -> ProfileCard?) -> ProfileCard {
        for name in names + ["Somebody"] {
            if let card = sign(name) { return card }
        }
        preconditionFailure("the last candidate is a name")
    }

    private mutating func restore() throws(StoreError) {
        for known in try storage.credentials() { _ = contacts.learn(known) }
        for tombstone in try storage.tombstones() { _ = contacts.learn(tombstone) }
        for seen in try storage.profiles() {
            _ = contacts.learn(seen.card)
            if seen.seenAt > .earliest { contacts.restore(seen.card.user, seenAt: seen.seenAt) }
        }
        try restorePrivateState()
        // A new device has written nothing: the evidence in a backup is about the one that was backed up.
        if isNewDevice { try storage.save(copyEvidence: nil) }
        copyEvidence = try storage.copyEvidence()
        for user in context.privateState.verifications.marked { contacts.setVerified(true, user) }
        for known in try storage.addresses() {
            tellDiscovery(.named(known.address, known.device))
            context.familiarity.contactDevices.insert(known.device)
        }
        if isNewDevice {
            context.formerDevice = context.formerDevice ?? keyManager.formerDevice(in: context)
            try keyManager.renewKey(ofFormerDevice: formerDevice, in: context, using: &random)
            if contacts[me].card == nil { _ = contacts.learn(card) }
        } else if contacts.learn(ownCredentials) {
            try storage.save(ownCredentials)
        }
        try laneExchange.restore(from: storage)
        for record in storage.conversations() {
            var replica = try Self.restore(record, from: storage)
            if replica.isOnlyBegun {
                begin(replica)
                context.familiarity.joined.insert(record.id)
                continue
            }
            try restoreEncryption(of: &replica)
            receipts[record.id] = Receipts(of: device.id, kept: try storage.receipts(of: record.id))
            if try context.isParticipationKept(in: replica) { context.familiarity.joined.insert(record.id) }
            if !replica.quotas.declined.isEmpty { bodyQuota.recount(record.id) }
            open(replica)
            try restoreTombstones(of: replica)
            linkAnnotations(under: nil, in: record.id)
        }
        for conversation in replicas.keys { planOwedTombstones(in: conversation) }
        keyManager.publishEverywhere(in: context)
        try eraseStrangers()
        _ = contacts.takeDeviceChanges()
        try retention.restore(in: &context)
        try restoreFiles()
    }

    /// Rebuilds one conversation from the log alone.
    ///
    /// - Throws: ``StoreError``, among them `corrupted` for a log that contradicts itself.
    package static func restore(
        _ record: ConversationRecord, from storage: any ReplicaStorage
    ) throws(StoreError) -> Replica {
        let stored = try storage.log(of: record.id)
        var replica = Replica(conversation: record.id, root: record.root)
        do throws(MalformedBytes) {
            try replica.log.restore(
                membership: stored.membership, contentFrontier: stored.contentFrontier,
                contentHeads: stored.contentHeads, introducing: MembershipBody.introductions(ofStored:))
        } catch {
            throw .corrupted("an operation of conversation \(record.id) does not decode: \(error)")
        }
        replica.group.insert(stored.membership)
        // Counting rows takes 50 ns for each: of a million, longer than everything else of a start.
        if let count = stored.contentFrontier.operationCount {
            replica.contentCount = count
        } else {
            replica.contentCount = try storage.contentCount(of: record.id)
        }
        try replica.noteArrivals(at: .earliest, in: storage)
        return replica
    }
}

// MARK: - Time

extension NodeCore {
    /// Begins to look for peers, and does what was owed when the node stopped.
    ///
    /// - Parameters:
    ///   - port: where the node listens.
    ///   - discovers: whether beacons are sent.
    ///   - program: the version of the program, for peers who look for a fault.
    /// - Throws: `disk_full`, `storage_failed`.
    public mutating func start(
        onPort port: UInt16, discovers: Bool, program: String = "", at moment: Moment
    ) throws(NodeError) {
        self.moment = moment
        reachabilityExchange.program = program
        tellDiscovery(.started(port: port, discovers: discovers))
        publishIntroduction()
        restampPrivateState()
        try settleRecord(with: [])
        for conversation in replicas.keys.sorted() {
            tellInviteCodes(.membersChanged(conversation))
            tellReceipts(.changed(conversation))
            settleWithheld(in: conversation)
            guard !context.writesNothing else { continue }
            try revokeWhereNew(conversation)
            tellInviteCodes(.started(conversation))
            try retractCodes(in: conversation)
            try ratifyIfNeeded(in: conversation)
            try complainIfNeeded(in: conversation)
        }
        tick()
    }

    /// Does what is due.
    mutating func tick() {
        tellDiscovery(.tick)
        keepSightings()
        tellSearches(.tick)
        partFromStrangers()
        forgetStrangers()
        laneExchange.pending.expire(at: now)
        recountBodies()
        tellBodies(.tick)
        if !isCopied, !isNewDevice, !isTakenOut { renewKeys() }
        if !context.writesNothing {
            settleComplaints()
            endCodes()
        }
        tellInviteCodes(.tick)
        tellTyping(.tick)
        tellRetention(.tick)
        tellReceipts(.tick)
        tellFiles(.tick)
        tellCards(.tick)
        tickOwnDevices()
        replicate(.tick)
        planWake()
    }
}
