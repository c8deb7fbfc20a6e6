import Conversations
import OperationLog
import Replication
import Storage
import Time

/// Takes devices of this user out, and passes on which ones others took out.
///
/// A tombstone is a statement of the root alone, and nothing undoes it. So it is judged by its signature and not by who
/// brings it. It is on the disk before it has any effect, and a peer is shown what is known before they are told or
/// given anything else.
extension NodeCore {
    /// Whether this device was taken out: it signs nothing more, and keeps what it had.
    public var isTakenOut: Bool { context.isTakenOut }

    /// Takes a device of this user out because it is lost, replaced or not wanted any more. All that it wrote counts
    /// on.
    ///
    /// Nothing is sealed for it from now on, nobody of this user's peers talks to it once they know, and nothing brings
    /// it back.
    ///
    /// - Throws: `invalid_operation` without the root, for the device itself, for one that is none of the user's, or
    ///   with 256 taken out; `device_taken_out`, `identity_deleted`, `home_copied`, `not_certified`, `disk_full`,
    ///   `storage_failed`.
    public mutating func retire(_ device: DeviceID, at moment: Moment) throws(NodeError) {
        self.moment = moment
        try requireWritable()
        try requireRoot()
        try takeOut(device, as: .retired)
    }

    /// Signs that a device is out, and a record without it.
    mutating func takeOut(_ device: DeviceID, as kind: Tombstone.Kind) throws(NodeError) {
        let root = try requireRoot()
        guard device != self.device.id else { throw Self.ownDevice }
        try requireRevocable(device)
        let known = contacts[me].tombstones
        guard known[device] != nil || known.count < Tombstones.maximumCount else {
            throw NodeError(
                .invalidOperation, "You have taken out \(Tombstones.maximumCount) devices, which is the most",
                hint: "Begin anew, as somebody else: moot up --home DIR")
        }
        do throws(StoreError) {
            try learn([Tombstone(root: root, device: device, kind: kind)], isOwnAct: true)
        } catch {
            lastStorageError = error
            throw NodeError(error)
        }
        try settleRecord(with: [])
        publishKeys()
    }

    /// Takes over what this user's devices kept for them that were taken out.
    mutating func restampPrivateState() {
        let kinds = contacts[me].tombstones.all.map { ($0.device, $0.kind) }
        restampPrivateState(of: Dictionary(kinds, uniquingKeysWith: max))
    }

    // MARK: - Taking in

    /// Takes in tombstones that a peer shows, as far as they are about this user or, unless the peer is a stranger,
    /// about somebody of whom anything is kept. One that does not verify is an offense. What is above the budget of
    /// their user is passed over: it is shown again.
    ///
    /// - Complexity: a signature check for each that is not known.
    mutating func take(_ encoded: [[UInt8]], from peer: PeerHandle) {
        let isStranger = links[peer]?.isStranger ?? true
        var tombstones: [Tombstone] = []
        do throws(MalformedBytes) {
            for bytes in encoded {
                guard let (user, device, kind) = Tombstone.subject(of: bytes) else {
                    throw .invalid(field: "tombstone")
                }
                // What is known is not verified again.
                if let known = contacts[user].tombstones[device], known.kind >= kind { continue }
                guard user == me || !isStranger && keeps(user) else { continue }
                let tombstone = try Tombstone(verifying: bytes)
                guard tombstoneBudgets.takes(tombstone, of: contacts[user], at: now) else { continue }
                tombstones.append(tombstone)
            }
        } catch {
            return replicate(.offended(peer, reason: "a malformed tombstone: \(error)"))
        }
        keep(tombstones, from: peer)
    }

    /// Takes in tombstones that came, and settles the record; where they cannot be stored, it is as if they had not.
    ///
    /// - Parameter peer: who showed them; nil where none did.
    mutating func keep(_ tombstones: [Tombstone], from peer: PeerHandle? = nil) {
        if takeIn(tombstones, from: peer) { settleRecord(of: [], publishesKeys: true) }
    }

    /// Takes in tombstones that came; whether any was news.
    mutating func takeIn(_ tombstones: [Tombstone], from peer: PeerHandle? = nil) -> Bool {
        do throws(StoreError) {
            return try learn(tombstones, from: peer)
        } catch {
            storageFailed(error)
            return false
        }
    }

    /// The tombstones that say more than is known, and have room: what has none would be news every time it comes.
    private func news(among tombstones: [Tombstone]) -> [Tombstone] {
        var sets: [UserID: Tombstones] = [:]
        for tombstone in tombstones {
            sets[tombstone.user, default: contacts[tombstone.user].tombstones].insert(tombstone)
        }
        return tombstones.filter {
            !contacts[$0.user].tombstones.contains($0) && sets[$0.user]?.contains($0) == true
        }
    }

    /// Makes tombstones durable, then has them count, and passes them on as far as the budget of their user goes;
    /// whether any was news.
    ///
    /// What is not passed on is shown whoever comes next, and lanes carry it.
    ///
    /// - Parameter isOwnAct: whether they were signed here just now: that is told in any case.
    @discardableResult
    mutating func learn(
        _ tombstones: [Tombstone], from source: PeerHandle? = nil, isOwnAct: Bool = false
    ) throws(StoreError) -> Bool {
        let news = news(among: tombstones)
        guard !news.isEmpty else { return false }
        let wasTakenOut = isTakenOut
        try storage.save(news)
        for tombstone in news { _ = contacts.learn(tombstone) }
        let told = news.filter { isOwnAct || tombstoneBudgets.passesOn($0, of: contacts[$0.user], at: now) }
        for peer in links.keys.sorted() {
            if peer != source { show(told.filter { shows($0.user, to: peer) }, to: peer) }
            if let device = links[peer]?.identity?.device { partFromTakenOut(device, on: peer) }
        }
        for conversation in replicas.keys { planOwedTombstones(in: conversation) }
        if isTakenOut, !wasTakenOut { note(.deviceTakenOut) }
        if news.contains(where: { $0.user == me }) {
            keyManager.publishEverywhere(in: context)
            restampPrivateState()
        }
        for user in Set(news.map(\.user)).sorted() { show(.person(user)) }
        return true
    }

    /// Keeps the tombstones that a lane carries and that were not stored any more when they came with it.
    mutating func restoreTombstones(of replica: Replica) throws(StoreError) {
        let news = news(among: replica.group.tombstones.filter { keeps($0.user) })
        guard !news.isEmpty else { return }
        try storage.save(news)
        for tombstone in news { _ = contacts.learn(tombstone) }
    }

    // MARK: - Showing

    /// Shows a peer that has just come, before anything else, what it is to know.
    mutating func showTombstones(to peer: PeerHandle) {
        let users = contacts.usersWithTombstones.filter { shows($0, to: peer) }
        links[peer]?.shownTombstonesOf = Set(users)
        show(users.flatMap { contacts[$0].tombstones.all }, to: peer)
    }

    /// Shows a peer those of the members of a conversation that both sides know by now: one who was a stranger was
    /// shown none.
    mutating func showTombstones(of conversation: ConversationID, to peer: PeerHandle) {
        guard let group = replicas[conversation]?.group else { return }
        let users = contacts.usersWithTombstones.filter {
            group.isMember($0) && links[peer]?.shownTombstonesOf.contains($0) == false
        }
        links[peer]?.shownTombstonesOf.formUnion(users)
        show(users.flatMap { contacts[$0].tombstones.all }, to: peer)
    }

    private mutating func show(_ tombstones: [Tombstone], to peer: PeerHandle) {
        for start in stride(from: 0, to: tombstones.count, by: PeerMessage.maximumTombstones) {
            let part = tombstones[start..<min(tombstones.count, start + PeerMessage.maximumTombstones)]
            effects.append(.send(peer, PeerMessage.people(.tombstones(part.map(\.encoded))).encoded, .live))
        }
    }

    /// Whether a peer is to know which devices a user took out: it is theirs, or this user's, or shares a conversation
    /// with them.
    private func shows(_ user: UserID, to peer: PeerHandle) -> Bool {
        guard let link = links[peer], let other = link.identity?.device.user, !link.isStranger else { return false }
        return other == me || other == user
            || replicas.values.contains { $0.group.isMember(other) && $0.group.isMember(user) }
    }

    /// Ends the connection to a device that was taken out, once it has been told; whether that was so.
    @discardableResult
    mutating func partFromTakenOut(_ device: Device, on peer: PeerHandle) -> Bool {
        guard let tombstone = contacts[device.user].tombstones[device.id] else { return false }
        show([tombstone], to: peer)
        note(.connectionClosed(Diagnostic.Peer(links[peer]), reason: "device taken out"), isStranger: true)
        close(peer)
        return true
    }

    // MARK: - Carrying

    /// Notes whether the lane of a conversation lacks tombstones of devices that it knows, and plans to publish those
    /// of this user soon.
    ///
    /// Not only a new tombstone is lacking: who comes back into a group may have taken a device out while they were not
    /// in it.
    mutating func planOwedTombstones(in conversation: ConversationID) {
        let owed = replicas[conversation].map(context.owedTombstones) ?? []
        keyManager.note(owesTombstones: !owed.isEmpty, in: conversation)
        guard !context.writesNothing, owed.contains(where: { $0.user == me }) else { return }
        keyManager.publish(in: conversation)
        effects.append(.wake(at: now))
    }

    /// Brings tombstones into a conversation whose lane lacks them, before anything is sealed for its members.
    ///
    /// A node publishes those of its own user at once, without this. Those of others it publishes only where it writes,
    /// so that not all members do at the same time.
    ///
    /// - Throws: as every write does.
    mutating func carryTombstones(in conversation: ConversationID) throws(NodeError) {
        while keyManager.owesTombstones(in: conversation), let replica = replicas[conversation],
            replica.group.isMember(me),
            let body = keyManager.publication(in: replica, carriesTombstones: true, context)
        {
            try write(in: replica, introducing: true) { log, author, time throws(MalformedBytes) in
                try log.write(membership: [body.draft], by: author, at: time)
            }
        }
    }

    // MARK: - The record

    /// Signs a record of all devices that a record names and no tombstone does, where the counting one is another.
    ///
    /// So two holders of the root who were apart end with one record. Where both certified so many that not all have
    /// room, those of the counting record stay.
    ///
    /// - Parameter seen: the devices of a record that came, or that was replaced by one.
    /// - Throws: as ``publish(_:signedBy:with:)``.
    mutating func settleRecord(with seen: [IdentityRecord.Entry]) throws(NodeError) {
        guard let root = keys.root, !context.writesNothing else { return }
        let (counting, gone) = (context.countingIdentity.devices, contacts[me].tombstones)
        var devices = context.ownDevices
        for entry in seen where devices.count < IdentityRecord.maximumDevices {
            guard gone[entry.device.id] == nil, !devices.contains(where: { $0.device == entry.device }) else {
                continue
            }
            devices.append(entry)
        }
        guard !devices.isEmpty, Set(devices.map(\.device)) != Set(counting.map(\.device)) else { return }
        try publish(devices, signedBy: root)
    }

    /// Settles the record after one of this user came, whichever of the two counts now.
    ///
    /// - Parameters:
    ///   - record: the one that came.
    ///   - before: the one that counted until then.
    mutating func settleRecord(seeing record: IdentityRecord, before: IdentityRecord) {
        guard record.user == me, record != before else { return }
        settleRecord(of: record.devices + before.devices)
    }

    /// How long a device of this user has to introduce itself: then it has told of tombstones, too.
    private static let introductionTime: Duration = .seconds(5)

    /// Plans to settle the record although the device that has shown another one in the channel may never introduce
    /// itself.
    mutating func planSettling() {
        guard holdsRoot, context.countingIdentity != card.identity, ownDevices.settlesRecordAt == nil else { return }
        ownDevices.settlesRecordAt = now + Self.introductionTime
        planWake()
    }

    /// Settles the record, if that is due: else one that leaves out others, also this device, would count until the
    /// next one comes.
    mutating func settleRecordIfDue() {
        guard let due = ownDevices.settlesRecordAt, due <= now else { return }
        ownDevices.settlesRecordAt = nil
        settleRecord(of: card.identity.devices)
    }

    /// Settles the record where nobody waits for it: what fails now is done with the next record that comes, or at the
    /// next start.
    ///
    /// - Parameter publishesKeys: whether to publish at once what conversations lack, also where the record stays.
    mutating func settleRecord(of seen: [IdentityRecord.Entry], publishesKeys: Bool = false) {
        do throws(NodeError) {
            try settleRecord(with: seen)
        } catch {
            note(.notStored(error))
        }
        if publishesKeys, !context.writesNothing { publishKeys() }
    }
}

extension NodeContext {
    /// The tombstones that are known here and that the lane of a conversation lacks, of devices that its records
    /// certified.
    func owedTombstones(in replica: Replica) -> [Tombstone] {
        let users = contacts.usersWithTombstones.filter(replica.group.isMember)
        return replica.group.lacking(users.flatMap { contacts[$0].tombstones.all })
    }
}
