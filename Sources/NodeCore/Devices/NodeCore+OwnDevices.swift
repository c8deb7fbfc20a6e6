import Conversations
import Cryptography
import OperationLog
import Replication
import Storage

/// What the devices of one user bring each other: the keys of what was written before one of them was linked, and how far the user has read.
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
        tellReadMarks(of: conversation, to: [peer])
        fetchKeys(in: conversation)
    }

    /// Takes in what another device of this user says of a conversation.
    mutating func hear(_ word: Replicator.OwnWord, of conversation: ConversationID, from peer: PeerHandle) {
        switch word {
        case .keysWanted(let epochs): supplyKeys(epochs, of: conversation, to: peer)
        case .keys(let keys): take(keys, of: conversation, from: peer)
        case .readMarks(let marks): take(marks, of: conversation, from: peer)
        }
    }

    /// Does what is due about other devices.
    mutating func tickOwnDevices() {
        for conversation in ownDevices.overdue(at: now) { fetchKeys(in: conversation) }
        for conversation in ownDevices.duePostponed(at: now) { settleReadMarks(in: conversation) }
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
        replicate(.own(device, conversation, .keysWanted(epochs)))
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
        replicate(.own(peer, conversation, .keys(keys)))
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

    /// Takes in keys that another device of this user had. Each fits what its author committed to, or it is passed over.
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
            linkAnnotations(in: conversation)
            tellBodies(.changed(conversation))
            show(.conversation(conversation))
        }
        ownDevices.answered(sealed.keys, of: keys.map(\.epoch), by: peer, in: conversation)
        supplyOwedKeys(of: conversation)
        fetchKeys(in: conversation)
    }

    // MARK: - What was read

    /// Tells other devices of this user how far the user has read.
    mutating func tellReadMarks(of conversation: ConversationID, to peers: [PeerHandle]? = nil) {
        let peers = peers ?? ownLinks
        guard !peers.isEmpty else { return }
        let marks: [DeviceID: UInt64]
        do throws(StoreError) {
            marks = try storage.readMarks(in: conversation)
        } catch {
            return note(.notServed(error))
        }
        let all = marks.filter { $0.value > 0 }.sorted { $0.key < $1.key }
            .map { PeerMessage.ReadMark(device: $0.key, sequenceNumber: $0.value) }
        for start in stride(from: 0, to: all.count, by: PeerMessage.maximumReadMarks) {
            let part = Array(all[start..<min(all.count, start + PeerMessage.maximumReadMarks)])
            for peer in peers { replicate(.own(peer, conversation, .readMarks(part))) }
        }
    }

    /// Takes in how far the user has read on another device.
    mutating func take(_ marks: [PeerMessage.ReadMark], of conversation: ConversationID, from peer: PeerHandle) {
        guard isOwnDevice(peer), !context.familiarity.erased.contains(conversation) else { return }
        ownDevices.note(marks, in: conversation)
        settleReadMarks(in: conversation)
    }

    /// Counts as read here what was read on another device and is here by now, and passes on what is news.
    mutating func settleReadMarks(in conversation: ConversationID) {
        guard ownDevices.awaitsReadMarks(in: conversation),
            let tips = replicas[conversation]?.log.contentFrontier
        else { return }
        let told = ownDevices.takeReadMarks(in: conversation) { tips.sequenceNumber(of: $0) }
        guard !told.isEmpty else { return }
        do throws(StoreError) {
            let known = try storage.readMarks(in: conversation)
            let news = told.filter { $0.value > known[$0.key] ?? 0 }
            guard !news.isEmpty else { return }
            try storage.markRead(news, in: conversation)
        } catch {
            ownDevices.note(told.map { .init(device: $0.key, sequenceNumber: $0.value) }, in: conversation)
            ownDevices.postpone(conversation, at: now)
            planWake()
            return storageFailed(error)
        }
        tellReceipts(.changed(conversation))
        tellReadMarks(of: conversation)
        show(.conversation(conversation))
    }
}
