import Conversations
import Cryptography
import OperationLog
import Replication

/// Keeps the keys to which others seal: makes them, publishes them, replaces them, and erases them in the end.
extension NodeCore {
    /// Conversations in which a new key is published at one moment; the others follow.
    private static let publicationsAtOnce = 16

    /// Reads the keys of the device, or makes the first.
    static func wrapKeys(
        in storage: any ReplicaStorage, keys: Keys, random: inout any RandomNumberGenerator, at time: Timestamp
    ) throws(StoreError) -> WrapKeys {
        var entries: [WrapKeys.Entry] = []
        for stored in try storage.wrapSecrets() {
            guard let secret = try? keys.sealing.open(stored.sealed, in: cell(of: stored.counter)),
                let key = AgreementKey(secret: secret)
            else { throw .corrupted("a key of this device does not open with the key of the home") }
            entries.append(
                WrapKeys.Entry(counter: stored.counter, key: key, madeAt: stored.madeAt, retiredAt: stored.retiredAt))
        }
        if entries.isEmpty {
            let key = AgreementKey.generate(using: &random)
            let first = WrapKeys.Entry(counter: 1, key: key, madeAt: time)
            try storage.save(seal(first, under: keys.sealing, using: &random))
            entries = [first]
        }
        return WrapKeys(entries, by: keys.author)
    }

    private static func cell(of counter: UInt64) -> Cell {
        Cell(table: "wrap_keys", row: withUnsafeBytes(of: counter.bigEndian) { Array($0) }, kind: "secret")
    }

    private static func seal(
        _ entry: WrapKeys.Entry, under sealing: CellKey, using random: inout any RandomNumberGenerator
    ) -> SealedWrapSecret {
        SealedWrapSecret(
            counter: entry.counter,
            sealed: sealing.seal(entry.key.secretBytes, in: cell(of: entry.counter), using: &random),
            madeAt: entry.madeAt, retiredAt: entry.retiredAt)
    }

    /// The devices of this user with their keys, as others should know them.
    package var ownCredentials: Credentials {
        Credentials(identity: card.identity, wraps: [wrapKeys.record] + (contacts[me].credentials?.wraps ?? []))
    }

    /// Replaces a worn key and erases what is too old.
    mutating func renewKeys() {
        do throws(StoreError) {
            if wrapKeys.isWorn(at: moment.wall) { try replaceKey() }
            for counter in wrapKeys.expired(at: moment.wall) {
                try storage.eraseWrapSecret(counter)
                wrapKeys = WrapKeys(wrapKeys.entries.filter { $0.counter != counter }, by: keys.author)
            }
        } catch {
            // The key goes on; the next tick tries again.
            return
        }
        publishKeys()
    }

    /// - Parameter counter: the counter to be beyond, if others know a higher one than this device does.
    private mutating func replaceKey(beyond counter: UInt64 = 0) throws(StoreError) {
        var old = wrapKeys.current
        old.retiredAt = moment.wall
        let fresh = WrapKeys.Entry(
            counter: max(old.counter, counter) + 1, key: AgreementKey.generate(using: &random), madeAt: moment.wall)
        // First the new one: without it the old one must stay in use.
        try storage.save(Self.seal(fresh, under: keys.sealing, using: &random))
        try storage.save(Self.seal(old, under: keys.sealing, using: &random))
        wrapKeys = WrapKeys(wrapKeys.entries.dropLast() + [old, fresh], by: keys.author)
        if contacts.learn(ownCredentials) { keep(me) }
        publishIntroduction()
        unpublished = Set(replicas.keys)
        note(.keyReplaced(wrapKeys.record.counter))
    }

    /// Tells every peer, present and to come, who this is.
    mutating func publishIntroduction() {
        replicate(.introduced(introduction, port: port))
    }

    var introduction: [UInt8] { Introduction(card: card, wraps: ownCredentials.wraps).encoded }

    /// Publishes the key where it is not known yet, a few conversations at a time.
    mutating func publishKeys() {
        for conversation in unpublished.sorted().prefix(Self.publicationsAtOnce) {
            do throws(NodeError) {
                try publishKey(in: conversation)
            } catch {
                return
            }
        }
    }

    /// Writes what the lane of a conversation does not know of this device, and in a direct conversation of the other's.
    ///
    /// Nothing is written where the lane knows it, or where this user is no member.
    mutating func publishKey(in conversation: ConversationID) throws(NodeError) {
        unpublished.remove(conversation)
        guard let replica = replicas[conversation] else { return }
        do throws(NodeError) {
            try publishKey(in: replica)
        } catch {
            unpublished.insert(conversation)
            throw error
        }
    }

    /// The same for a replica that may not be open yet.
    mutating func publishKey(in replica: Replica) throws(NodeError) {
        guard replica.group.isMember(me) else { return }
        try checkIsOnlyCopy()
        if let published = replica.group.wrapRecord(of: device.id, of: me), wrapKeys.isForgotten(published) {
            // Put back from a backup, it lacks the secret to which the others seal.
            do throws(StoreError) {
                try replaceKey(beyond: published.counter)
            } catch {
                throw NodeError(error)
            }
        }
        var others: [Credentials] = []
        if case .direct(let first, let second) = replica.log.root, first != second {
            let known = contacts[first == me ? second : first].credentials
            let isNews = known?.wraps.contains { record in
                replica.group.wrapRecord(of: record.device, of: known?.user ?? me).map { record.supersedes($0) } ?? true
            }
            if let known, isNews == true { others = [known] }
        }
        let published = replica.group.wrapRecord(of: device.id, of: me)
        guard published != wrapKeys.record || !others.isEmpty else { return }
        let body = MembershipBody.device(own: ownCredentials, others: others)
        try write(in: replica) { log, author, time throws(MalformedBytes) in
            try log.write(membership: [body.draft], by: author, at: time)
        }
    }
}
