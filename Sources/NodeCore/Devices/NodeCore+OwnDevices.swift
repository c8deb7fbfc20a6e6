import Conversations
import Cryptography
import OperationLog
import Replication
import Storage
import Time

/// What the devices of one user bring each other about a conversation: the keys of what was written before one of them
/// was linked, how far the user has read, that they look at it now, and for how long to keep it.
extension NodeCore {
    /// The connections to other devices of this user.
    private var ownLinks: [PeerHandle] {
        links.keys.filter(isOwnDevice).sorted()
    }

    /// Whether a connection leads to another device of this user.
    func isOwnDevice(_ peer: PeerHandle) -> Bool { links[peer]?.identity.map { context.isOwn($0.device) } ?? false }

    /// Begins to tell another device about a conversation that both have.
    mutating func meetOwnDevice(_ peer: PeerHandle, in conversation: ConversationID) {
        guard isOwnDevice(peer) else { return }
        // First: what is kept for a time only need not come.
        tellRetention(of: conversation, to: [peer])
        tellReadMarks(of: conversation, to: [peer])
        fetchKeys(in: conversation)
    }

    /// Takes in what another device of this user says of a conversation.
    mutating func hear(_ word: OwnMessage, of conversation: ConversationID, from peer: PeerHandle) {
        switch word {
        case .keysWanted(let epochs): supplyKeys(epochs, of: conversation, to: peer)
        case .keys(let keys): take(keys, of: conversation, from: peer)
        case .readMarks(let marks): take(marks, of: conversation, from: peer)
        case .opened: if isOwnDevice(peer) { show(.settled(conversation)) }
        case .retention(let days): takeOver(retention: days, of: conversation, from: peer)
        }
    }

    /// Does what is due about other devices.
    mutating func tickOwnDevices() {
        for conversation in ownDevices.overdue(at: now) { fetchKeys(in: conversation) }
        for conversation in ownDevices.duePostponed(at: now) {
            settleReadMarks(in: conversation, of: ownDevices.readMarks.chains(in: conversation))
            tellReadMarks(of: conversation)
        }
        tellPrivate(.tick)
        settleRecordIfDue()
    }

    // MARK: - Keys

    /// Asks another device of this user for keys that are lacking in a conversation.
    mutating func fetchKeys(in conversation: ConversationID) {
        guard let lacking = replicas[conversation]?.epochs.elsewhere, !lacking.isEmpty else {
            return ownDevices.endQuestion(in: conversation)
        }
        guard
            let (device, epochs) = ownDevices.ask(
                for: lacking, in: conversation, among: ownLinks, at: now)
        else { return }
        replicate(.saying(.own(.keysWanted(epochs)), of: conversation, to: [device]))
        planWake()
    }

    /// Gives another device of this user the keys it asks for, as far as they are here.
    mutating func supplyKeys(_ epochs: [OperationID], of conversation: ConversationID, to peer: PeerHandle) {
        guard isOwnDevice(peer), let known = replicas[conversation]?.epochs.all else { return }
        let keys = epochs.compactMap { id -> PeerMessage.Key? in
            guard case .held(let key) = known[id]?.key else { return nil }
            return PeerMessage.Key(epoch: id, bytes: key.secret.withUnsafeBytes { Array($0) })
        }
        ownDevices.owe(Set(epochs).subtracting(keys.map(\.epoch)), of: conversation, to: peer)
        replicate(.saying(.own(.keys(keys)), of: conversation, to: [peer]))
    }

    /// Gives other devices of this user the keys that they asked for before they were here.
    mutating func supplyOwedKeys(of conversation: ConversationID) {
        guard let known = replicas[conversation]?.epochs.all else { return }
        let due = ownDevices.settle(conversation) { id in
            if case .held = known[id]?.key { true } else { false }
        }
        for (peer, epochs) in due {
            for start in stride(from: 0, to: epochs.count, by: PeerMessage.maximumKeys) {
                supplyKeys(
                    Array(epochs[start..<min(epochs.count, start + PeerMessage.maximumKeys)]), of: conversation,
                    to: peer)
            }
        }
    }

    /// Takes in keys that another device of this user had. Each fits what its author committed to, or it is passed
    /// over.
    mutating func take(_ keys: [PeerMessage.Key], of conversation: ConversationID, from peer: PeerHandle) {
        guard isOwnDevice(peer), var replica = replicas[conversation] else { return }
        var sealed: [OperationID: [UInt8]] = [:]
        for key in keys {
            guard let opened = EpochKey(SecretBytes(key.bytes)), replica.epochs.insert(opened, of: key.epoch) else {
                continue
            }
            replica.storedKeys.insert(key.epoch)
            sealed[key.epoch] = sealForRest(opened, of: key.epoch, in: conversation)
        }
        if !sealed.isEmpty {
            do throws(StoreError) {
                try storage.fill([], keys: sealed, erasing: [], in: conversation)
            } catch {
                // Asked for again, once the question has become too old: nothing of it was kept.
                return storageFailed(error)
            }
            replicas[conversation] = replica
            linkAnnotations(under: Set(sealed.keys), in: conversation)
            tellFiles(.keysCame(Set(sealed.keys), in: conversation))
            tellBodies(.changed(conversation))
            show(.conversation(conversation))
        }
        ownDevices.answered(sealed.keys, of: keys.map(\.epoch), by: peer, in: conversation)
        supplyOwedKeys(of: conversation)
        fetchKeys(in: conversation)
    }

    // MARK: - What was read

    /// Tells other devices of this user how far the user has read.
    ///
    /// - Parameter news: what is told; nil for all.
    mutating func tellReadMarks(
        of conversation: ConversationID, to peers: [PeerHandle]? = nil, news: [DeviceID: UInt64]? = nil
    ) {
        let peers = peers ?? ownLinks
        guard !peers.isEmpty else { return }
        let marks: [DeviceID: UInt64]
        do throws(StoreError) {
            marks = if let news { news } else { try storage.readMarks(in: conversation) }
        } catch {
            // On a connection that lasts nobody would ask for them again.
            ownDevices.postpone(conversation, at: now)
            planWake()
            return note(.notServed(error))
        }
        let all = marks.filter { $0.value > 0 }.sorted { $0.key < $1.key }
            .map { PeerMessage.ReadMark(device: $0.key, sequenceNumber: $0.value) }
        for start in stride(from: 0, to: all.count, by: PeerMessage.maximumReadMarks) {
            let part = Array(all[start..<min(all.count, start + PeerMessage.maximumReadMarks)])
            replicate(.saying(.own(.readMarks(part)), of: conversation, to: Array(peers)))
        }
    }

    /// Takes in how far the user has read on another device.
    mutating func take(_ marks: [PeerMessage.ReadMark], of conversation: ConversationID, from peer: PeerHandle) {
        guard isOwnDevice(peer), let device = links[peer]?.identity?.device.id,
            !context.familiarity.erased.contains(conversation)
        else { return }
        ownDevices.readMarks.note(marks, in: conversation, saidBy: device)
        settleReadMarks(in: conversation, of: Set(marks.map(\.device)))
    }

    /// Counts as read here what was read on another device and is here by now, and passes on what is news.
    ///
    /// - Parameter chains: those of which something was told, or has come.
    mutating func settleReadMarks(in conversation: ConversationID, of chains: Set<DeviceID>) {
        guard !ownDevices.readMarks.isEmpty(in: conversation),
            let tips = replicas[conversation]?.log.contentFrontier
        else { return }
        let told = ownDevices.readMarks.here(in: conversation, of: chains) { tips.sequenceNumber(of: $0) }
        let news: [DeviceID: UInt64]
        do throws(StoreError) {
            let known = told.isEmpty ? [:] : try storage.readMarks(in: conversation)
            news = told.filter { $0.value > known[$0.key] ?? 0 }
            if !news.isEmpty { try storage.markRead(news, in: conversation) }
        } catch {
            ownDevices.postpone(conversation, at: now)
            planWake()
            return storageFailed(error)
        }
        ownDevices.readMarks.settle(in: conversation, of: chains) { tips.sequenceNumber(of: $0) }
        guard !news.isEmpty else { return }
        // Where the user takes part they are in, even if somebody whom they blocked brought them back.
        takePart(in: conversation)
        tellReceipts(.changed(conversation))
        // Nothing else: one mark of a device that lies would otherwise have each of the others send all of them.
        tellReadMarks(of: conversation, news: news)
        show(.conversation(conversation))
    }

    // MARK: - What the user looks at

    /// Tells other devices of this user that they look at a conversation here.
    public mutating func noteOpened(_ conversation: ConversationID, at moment: Moment) {
        self.moment = moment
        replicate(.saying(.own(.opened), of: conversation, to: Array(ownLinks)))
    }

    // MARK: - How long it is kept

    /// Tells other devices of this user for how long this one keeps a conversation, where not forever.
    mutating func tellRetention(of conversation: ConversationID, to peers: [PeerHandle]? = nil) {
        guard let days = retentionDays(of: conversation) else { return }
        replicate(.saying(.own(.retention(days: days)), of: conversation, to: Array(peers ?? ownLinks)))
    }

    /// Keeps a conversation as long as another device does, if nothing of its content is here yet: who linked a device
    /// did not choose that it keeps what the others erase. Of several devices that keep it for different times the
    /// shortest counts.
    private mutating func takeOver(retention days: Int, of conversation: ConversationID, from peer: PeerHandle) {
        guard isOwnDevice(peer), let replica = replicas[conversation],
            !context.familiarity.erased.contains(conversation)
        else { return }
        let isTakenOver = ownDevices.retentionTakenOver.contains(conversation)
        let current = retentionDays(of: conversation)
        guard current == nil ? replica.contentCount == 0 : isTakenOver, days < current ?? .max else { return }
        do throws(NodeError) {
            try set(.days(days), of: conversation)
            ownDevices.retentionTakenOver.insert(conversation)
        } catch {
            note(.notStored(error))
        }
    }
}
