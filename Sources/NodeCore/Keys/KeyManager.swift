import Conversations
import Cryptography
import OperationLog
import Replication
import Storage
import Time

/// Keeps the keys to which others seal: makes them, replaces them, and erases them in the end.
struct KeyManager {
    /// Conversations in which a new key is published at one moment; the others follow.
    private static let maximumPublications = 16

    /// The secrets to which others seal keys.
    private(set) var wrapKeys: WrapKeys
    /// Conversations that may not know this device's key.
    private var unpublished: Set<ConversationID> = []
    /// Conversations whose lanes lack tombstones that are known here.
    private var owing: Set<ConversationID> = []

    /// Reads the keys of the device, or makes the first.
    ///
    /// - Throws: ``StoreError``, among them `corrupted` for a key that does not open.
    init(
        in storage: any ReplicaStorage, keys: NodeCore.Keys, at time: Timestamp,
        using random: inout some RandomNumberGenerator
    ) throws(StoreError) {
        var entries: [WrapKeys.Entry] = []
        for stored in try storage.wrapSecrets() {
            guard let secret = try? keys.sealing.open(stored.sealed, in: Self.cell(of: stored.counter)),
                let key = AgreementKey(secret: secret)
            else { throw .corrupted("a key of this device does not open with the key of the home") }
            entries.append(
                WrapKeys.Entry(counter: stored.counter, key: key, madeAt: stored.madeAt, retiredAt: stored.retiredAt))
        }
        if entries.isEmpty {
            entries = [
                try Self.begin(with: .generate(using: &random), in: storage, keys: keys, at: time, using: &random)
            ]
        }
        wrapKeys = WrapKeys(entries, by: keys.author)
    }

    /// Keeps the first key of a device.
    @discardableResult
    static func begin(
        with key: AgreementKey, in storage: any ReplicaStorage, keys: NodeCore.Keys, at time: Timestamp,
        using random: inout some RandomNumberGenerator
    ) throws(StoreError) -> WrapKeys.Entry {
        // In a home that was restored there are those of another device.
        let last = try storage.wrapSecrets().map(\.counter).max()
        let first = WrapKeys.Entry(counter: last.map { $0 + 1 } ?? WrapKeys.firstCounter, key: key, madeAt: time)
        try storage.save(seal(first, under: keys.sealing, using: &random))
        return first
    }

    private static func cell(of counter: UInt64) -> StorageLocation {
        StorageLocation(table: "wrap_keys", row: withUnsafeBytes(of: counter.bigEndian) { Array($0) }, kind: "secret")
    }

    private static func seal(
        _ entry: WrapKeys.Entry, under sealing: StorageKey, using random: inout some RandomNumberGenerator
    ) -> SealedWrapSecret {
        SealedWrapSecret(
            counter: entry.counter,
            sealed: sealing.seal(entry.key.secretBytes, in: cell(of: entry.counter), using: &random),
            madeAt: entry.madeAt, retiredAt: entry.retiredAt)
    }

    /// The devices of this user with their keys, as others should know them.
    func credentials(in context: NodeContext) -> Credentials {
        let known = context.contacts[context.me].credentials?.wraps ?? []
        return Credentials(identity: context.countingIdentity, wraps: [wrapKeys.record] + known)
    }

    // MARK: - Another device's keys

    /// The device whose home was restored here, while a secret of its keys is kept and the user's record names it.
    func formerDevice(in context: NodeContext) -> DeviceID? {
        context.contacts[context.me].credentials?.wraps
            .first { $0.device != context.device.id && wrapKeys.holds($0.key) }?.device
    }

    /// Puts a key of this device in the place of one that belonged to the device whose home was restored. What was
    /// sealed to the old one can still be opened.
    mutating func renewKey(
        ofFormerDevice former: DeviceID?, in context: NodeContext, using random: inout some RandomNumberGenerator
    ) throws(StoreError) {
        let records = context.contacts[context.me].credentials?.wraps ?? []
        guard records.contains(where: { $0.device == former && $0.key == wrapKeys.record.key }) else { return }
        try replace(beyond: 0, in: context, using: &random)
    }

    // MARK: - Renewing

    /// Whether the key in use should be replaced.
    func needsReplacement(at time: Timestamp) -> Bool { wrapKeys.needsReplacement(at: time) }

    /// Puts a new key in the place of the one in use.
    ///
    /// - Parameter counter: the counter to be beyond, if others know a higher one than this device does.
    mutating func replace(
        beyond counter: UInt64, in context: NodeContext, using random: inout some RandomNumberGenerator
    ) throws(StoreError) {
        let (keys, time) = (context.keys, context.moment.wall)
        var old = wrapKeys.current
        old.retiredAt = time
        let fresh = WrapKeys.Entry(
            counter: max(old.counter, counter) + 1, key: AgreementKey.generate(using: &random), madeAt: time)
        // First the new one: without it the old one must stay in use.
        try context.storage.save(Self.seal(fresh, under: keys.sealing, using: &random))
        try context.storage.save(Self.seal(old, under: keys.sealing, using: &random))
        wrapKeys = WrapKeys(wrapKeys.entries.dropLast() + [old, fresh], by: keys.author)
        publishEverywhere(in: context)
    }

    /// Erases the secrets whose time is over.
    mutating func eraseExpired(in context: NodeContext) throws(StoreError) {
        for counter in wrapKeys.expired(at: context.moment.wall) {
            try context.storage.eraseWrapSecret(counter)
            wrapKeys = WrapKeys(wrapKeys.entries.filter { $0.counter != counter }, by: context.keys.author)
        }
    }

    // MARK: - Publishing

    /// The conversations in which the key is to be published now: a few at a time.
    var duePublications: [ConversationID] { Array(unpublished.sorted().prefix(Self.maximumPublications)) }

    /// Notes that no conversation may know the key.
    mutating func publishEverywhere(in context: NodeContext) { unpublished = Set(context.replicas.keys) }

    /// Notes that a conversation may not know the key.
    mutating func publish(in conversation: ConversationID) { unpublished.insert(conversation) }

    /// Notes that a conversation knows the key, or is not here any more.
    mutating func forget(_ conversation: ConversationID) { unpublished.remove(conversation) }

    /// Whether the lane of a conversation lacks tombstones.
    func owesTombstones(in conversation: ConversationID) -> Bool { owing.contains(conversation) }

    /// Notes whether the lane of a conversation lacks tombstones.
    mutating func note(owesTombstones: Bool, in conversation: ConversationID) {
        if owesTombstones { owing.insert(conversation) } else { owing.remove(conversation) }
    }

    /// The counter of the key that a lane knows of this device, if that is newer than what the device itself knows: put
    /// back from a backup, it lacks the secret to which the others seal.
    func forgottenCounter(in replica: Replica, _ context: NodeContext) -> UInt64? {
        replica.group.wrapRecord(of: context.device.id, of: context.me)
            .flatMap { wrapKeys.isForgotten($0) ? $0.counter : nil }
    }

    /// What this device must write first where the lane knows nothing of it: whatever else it wrote there, nobody would
    /// take. nil where the lane knows it, and for a device that is none of its user's.
    func introduction(to replica: Replica, _ context: NodeContext) -> MembershipBody? {
        replica.log.membership.certifies(context.device.id) ? nil : publication(in: replica, context)
    }

    /// What the lane of a conversation does not know of this device and of those that this user took out, and in a
    /// direct conversation of the other's; nil if it knows all.
    ///
    /// - Parameter carriesTombstones: whether those of others are reason enough, too.
    func publication(
        in replica: Replica, carriesTombstones: Bool = false, _ context: NodeContext
    ) -> MembershipBody? {
        let me = context.me
        // Nobody would seal to a device that is none: it would write this again and again.
        guard context.isOwn(context.device) else { return nil }
        var other: Credentials?
        if case .direct(let first, let second) = replica.log.root, first != second {
            let known = context.contacts[first == me ? second : first].credentials
            let isNews = known?.wraps.contains { record in
                replica.group.wrapRecord(of: record.device, of: known?.user ?? me).map { record.supersedes($0) } ?? true
            }
            if let known, isNews == true { other = known }
        }
        let published = replica.group.wrapRecord(of: context.device.id, of: me)
        // Of a device that was linked the root's holder tells; until then it tells of itself.
        let isBehind =
            context.keys.root != nil
            && replica.group.identity(of: me).map { context.countingIdentity.supersedes($0) } == true
        let owed = owing.contains(replica.id) ? context.owedTombstones(in: replica) : []
        let mustTell = owed.contains { carriesTombstones || $0.user == me }
        guard published != wrapKeys.record || other != nil || isBehind || mustTell else { return nil }
        // Where not all have room, this user's own come first.
        let tombstones = (owed.filter { $0.user == me } + owed.filter { $0.user != me }).prefix(Tombstones.maximumCount)
            .sorted { ($0.user, $0.device) < ($1.user, $1.device) }
        return .device(own: credentials(in: context), other: other, tombstones: tombstones)
    }
}
