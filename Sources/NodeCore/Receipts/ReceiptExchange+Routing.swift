import Conversations
import OperationLog
import Replication
import Storage
import Time

/// Who gets which receipt: those who can see it, which are the authors it is about. Where one of them is away, three
/// members keep it for them.
extension ReceiptExchange {
    /// A member's device that recognizes a conversation on a connection.
    struct Recipient {
        let peer: PeerHandle
        let device: Device
    }

    /// The connected devices of members that recognize a conversation.
    ///
    /// - Complexity: O(*n* log *n*) in the connections.
    func recipients(in replica: Replica, _ context: NodeContext) -> [Recipient] {
        let members = Set(replica.group.members.lazy.map(\.user))
        guard members.contains(context.me) else { return [] }
        return comparisons.keys.sorted().compactMap { peer in
            guard let device = comparisons[peer]?[replica.id]?.device, members.contains(device.user) else { return nil }
            return Recipient(peer: peer, device: device)
        }
    }

    // MARK: - Own receipts

    /// Sends a new receipt of this device to the authors of what it says something new of, and to the user's own other
    /// devices.
    ///
    /// - Complexity: O(*n*) in the members and their devices.
    mutating func send(
        _ record: ReceiptRecord, after last: ReceiptRecord?, in replica: Replica, _ context: NodeContext
    ) {
        let recipients = recipients(in: replica, context)
        // What is not told any more everybody forgets whom it was told.
        let isWithdrawn = record.withdrawsReads(of: last)
        let names = carriers(of: record, after: last, among: recipients, in: replica, context)
        var authors = 0
        for recipient in recipients {
            let id = ReceiptComparison.ID(peer: recipient.peer, conversation: replica.id)
            guard var state = comparisons[id.peer]?[replica.id] else { continue }
            let chains = replica.group.devices(of: recipient.device.user)
            let marks = record.marks(about: chains)
            // What was sent last is not always what was said last: there was no room for that, or they were no member
            // then.
            let isNews =
                isWithdrawn || recipient.device.user == context.me || marks != last?.marks(about: chains) ?? [:]
                || state.sent.map { $0 != marks } ?? false
            let absent = names[recipient.peer] ?? []
            if congested.contains(recipient.peer) {
                // It is compared with once there is room.
                if isNews { state.isUnchecked = true }
            } else if isNews || !absent.isEmpty {
                state.sent = marks
                if isNews {
                    // What is only kept there for others is not missed when it is lost.
                    (state.sentAt, state.isUnchecked) = (context.now, true)
                    authors += 1
                }
                requests.append(
                    .replicate(
                        .saying(.receipts(.receipts([record.encoded], absent: absent)), of: replica.id, to: [id.peer])))
            }
            comparisons[id.peer]?[replica.id] = state
        }
        plans[replica.id]?.noteSent(to: authors)
        planCheck(of: replica.id, at: context.now)
    }

    /// Chooses who keeps a new receipt for those authors of what it says something new of who are not connected.
    private mutating func carriers(
        of record: ReceiptRecord, after last: ReceiptRecord?, among recipients: [Recipient], in replica: Replica,
        _ context: NodeContext
    ) -> [PeerHandle: [DeviceID]] {
        let connected = Set(recipients.lazy.map(\.device.id))
        var names: [PeerHandle: [DeviceID]] = [:]
        for user in replica.group.members.lazy.map(\.user) where user != context.me {
            let chains = replica.group.devices(of: user)
            guard record.marks(about: chains) != last?.marks(about: chains) ?? [:] else { continue }
            for author in replica.group.countingDevices(of: user) where !connected.contains(author) {
                leave(receiptFor: author, of: user, with: recipients, in: replica.id, names: &names)
            }
        }
        return names.mapValues { Array($0.sorted().prefix(PeerMessage.maximumAbsentDevices)) }
    }

    /// Chooses three members to keep this device's receipt for an author's device; where fewer are connected, the next
    /// who come keep it, too.
    private mutating func leave(
        receiptFor author: DeviceID, of user: UserID, with recipients: [Recipient], in conversation: ConversationID,
        names: inout [PeerHandle: [DeviceID]]
    ) {
        let candidates = recipients.filter { $0.device.user != user && !congested.contains($0.peer) }
        let chosen = CarriedReceipts.carriers(for: author, among: candidates, device: \.device)
        for carrier in chosen { names[carrier.peer, default: []].append(author) }
        carried[conversation, default: CarriedReceipts()].note(
            carriers: Set(chosen.lazy.map(\.device.user)), for: author)
    }

    // MARK: - Meeting

    /// Notes that both sides of a connection recognize a conversation.
    mutating func share(_ conversation: ConversationID, with peer: PeerHandle, in context: NodeContext) {
        guard let link = context.links[peer], let device = link.identity?.device else { return }
        comparisons[peer, default: [:]][conversation] = ReceiptComparison(device: device, isOutgoing: link.isOutgoing)
        guard let replica = context.replicas[conversation], replica.group.isMember(context.me),
            replica.group.isMember(device.user)
        else { return }
        meet(peer, in: replica, context)
    }

    /// Compares with those who have become members, or of whom it has become known here.
    mutating func meetMembers(of conversation: ConversationID, in context: NodeContext) {
        guard let replica = context.replicas[conversation] else { return }
        let members = Set(recipients(in: replica, context).lazy.map(\.peer))
        carried[conversation]?.keep(for: replica.group.countingDevices)
        for peer in comparisons.keys.sorted() {
            guard let state = comparisons[peer]?[conversation] else { continue }
            if !members.contains(peer) {
                comparisons[peer]?[conversation]?.isMet = false
            } else if !state.isMet {
                meet(peer, isLate: true, in: replica, context)
            }
        }
    }

    /// Tells a peer what is held about both, and gives it what was kept for it. What it may keep for others it is given
    /// a little later: they may come at the same time.
    ///
    /// - Parameter isLate: whether the connection is older than what makes both members.
    private mutating func meet(
        _ peer: PeerHandle, isLate: Bool = false, in replica: Replica, _ context: NodeContext
    ) {
        let id = ReceiptComparison.ID(peer: peer, conversation: replica.id)
        guard let device = comparisons[peer]?[replica.id]?.device, replica.group.counts(device) else { return }
        comparisons[peer]?[replica.id]?.isMet = true
        tell(id, isLate: isLate, in: replica, context)
        compareLater(id, after: ReceiptComparison.grace, in: replica, context)
        deliver(to: id, in: replica)
        comparisons[peer]?[replica.id]?.offerAt = context.now + ReceiptComparison.grace
        plan(id)
    }

    /// Gives a peer the receipts that wait for it.
    mutating func deliver(to id: ReceiptComparison.ID, in replica: Replica) {
        comparisons[id.peer]?[id.conversation]?.deliverAt = nil
        guard let state = comparisons[id.peer]?[replica.id], state.isMet, !congested.contains(id.peer),
            let readers = carried[replica.id]?.deliver(to: state.device.id), !readers.isEmpty
        else { return }
        give(
            readers.sorted().compactMap { known[replica.id]?[$0] }.filter { replica.group.counts($0.device) }, to: id)
    }

    /// Plans to give a peer the receipts that wait for it.
    mutating func deliverSoon(to id: ReceiptComparison.ID, _ context: NodeContext) {
        guard comparisons[id.peer]?[id.conversation]?.deliverAt == nil else { return }
        comparisons[id.peer]?[id.conversation]?.deliverAt = context.now + ReceiptComparison.grace
        plan(id)
    }

    /// Sends a peer receipts of others that it was not sent on this connection.
    private mutating func give(_ records: [ReceiptRecord], to id: ReceiptComparison.ID) {
        let given = comparisons[id.peer]?[id.conversation]?.given ?? [:]
        let new = records.filter { given[$0.device.id] != $0.digest }
        for record in new { comparisons[id.peer]?[id.conversation]?.given[record.device.id] = record.digest }
        send(new, to: id)
    }

    /// Has a peer keep this device's receipt for authors for whom too few keep it.
    mutating func leaveUncarried(with id: ReceiptComparison.ID, in replica: Replica, _ context: NodeContext) {
        guard let device = comparisons[id.peer]?[id.conversation]?.device, !congested.contains(id.peer) else { return }
        guard let waiting = carried[replica.id]?.uncarried, !waiting.isEmpty,
            let record = known[replica.id]?[context.device.id]
        else { return }
        let connected = Set(recipients(in: replica, context).lazy.map(\.device.id))
        let theirs = Set(replica.group.countingDevices(of: device.user))
        let absent = waiting.filter { author, carriers in
            !connected.contains(author) && !theirs.contains(author) && !carriers.contains(device.user)
        }
        .keys.sorted().prefix(PeerMessage.maximumAbsentDevices)
        guard !absent.isEmpty else { return }
        for author in absent {
            carried[replica.id]?.note(carriers: (waiting[author] ?? []).union([device.user]), for: author)
        }
        requests.append(
            .replicate(
                .saying(.receipts(.receipts([record.encoded], absent: Array(absent))), of: replica.id, to: [id.peer])))
    }

    /// Forgets a connection. What was sent on it last may not have come, so others keep it.
    mutating func lose(_ peer: PeerHandle, in context: NodeContext) {
        congested.remove(peer)
        let conversations = (comparisons[peer] ?? [:]).keys.sorted()
        let owed = conversations.filter { isOwed(ReceiptComparison.ID(peer: peer, conversation: $0), context) }
        let lost = comparisons.removeValue(forKey: peer) ?? [:]
        for conversation in conversations { due[ReceiptComparison.ID(peer: peer, conversation: conversation)] = nil }
        for conversation in owed {
            guard let device = lost[conversation]?.device, let replica = context.replicas[conversation],
                let record = known[conversation]?[context.device.id]
            else { continue }
            let recipients = recipients(in: replica, context)
            guard !recipients.contains(where: { $0.device.id == device.id }) else { continue }
            var names: [PeerHandle: [DeviceID]] = [:]
            leave(receiptFor: device.id, of: device.user, with: recipients, in: conversation, names: &names)
            for (carrier, absent) in names.sorted(by: { $0.key < $1.key }) {
                requests.append(
                    .replicate(
                        .saying(.receipts(.receipts([record.encoded], absent: absent)), of: conversation, to: [carrier])
                    ))
            }
        }
    }

    /// Whether a peer whose connection ends may lack what this device's receipt says of its user's chains.
    private func isOwed(_ id: ReceiptComparison.ID, _ context: NodeContext) -> Bool {
        guard let state = comparisons[id.peer]?[id.conversation], state.device.user != context.me,
            let replica = context.replicas[id.conversation], replica.group.counts(state.device),
            let record = known[id.conversation]?[context.device.id]
        else { return false }
        if let sentAt = state.sentAt, context.now - sentAt < ReceiptComparison.unnoticedAbsence { return true }
        let marks = record.marks(about: replica.group.devices(of: state.device.user))
        return state.sent.map { $0 != marks } ?? (!marks.isEmpty && !isEqual(id, in: replica, context))
    }

    // MARK: - Others' receipts

    /// Takes in that a reader could not reach some devices: those that are connected here get its receipt now, the
    /// others when they come.
    ///
    /// One message of a reader makes one for each of them. So only a new record is handed on at once, only every few
    /// seconds, and only to whom it says something; what is much waits, too, and on one connection nobody is given the
    /// same twice.
    mutating func carry(
        _ record: ReceiptRecord, isNew: Bool, from reader: PeerHandle, to absent: [DeviceID], in replica: Replica,
        _ context: NodeContext
    ) {
        let concerned = devices(concernedBy: record, in: replica).subtracting([context.device.id])
        let authors = absent.filter(concerned.contains)
        guard !authors.isEmpty else { return }
        let peers = Dictionary(recipients(in: replica, context).map { ($0.device.id, $0.peer) }) { first, _ in first }
        let isLittle = record.encoded.count * authors.count { peers[$0] != nil } <= Self.maximumRelayedBytes
        let isAtOnce =
            isNew && isLittle
            && comparisons[reader]?[replica.id]?.budgets.relays.take(at: context.now) == true
        for author in authors {
            let peer = peers[author]
            if let peer, isAtOnce, !congested.contains(peer) {
                give([record], to: ReceiptComparison.ID(peer: peer, conversation: replica.id))
                continue
            }
            carried[replica.id, default: CarriedReceipts()].carry(receiptOf: record.device.id, to: author)
            if let peer { deliverSoon(to: ReceiptComparison.ID(peer: peer, conversation: replica.id), context) }
        }
    }

    /// The counting devices of those members of whose chains a record says something.
    private func devices(concernedBy record: ReceiptRecord, in replica: Replica) -> Set<DeviceID> {
        let users = replica.group.members.lazy.map(\.user).filter { user in
            replica.group.devices(of: user).contains { record.marks[$0] != nil }
        }
        return Set(users.flatMap { replica.group.countingDevices(of: $0) })
    }

    /// Offers a peer the receipts about it of those who are not connected: a node that was started anew does not know
    /// for whom it kept them.
    ///
    /// Only those three of the connected do so who would be asked to keep them now: else everybody would offer the
    /// same.
    mutating func offer(_ id: ReceiptComparison.ID, in replica: Replica, _ context: NodeContext) {
        guard let state = comparisons[id.peer]?[replica.id], state.isMet, state.device.user != context.me
        else { return }
        let recipients = recipients(in: replica, context)
        let rank = CarriedReceipts.rank(of: context.device.id, for: state.device.id)
        let before = Set(
            recipients.lazy.map(\.device).filter {
                $0.user != state.device.user && CarriedReceipts.rank(of: $0.id, for: state.device.id) < rank
            }
            .map(\.user))
        // Another device of this user that comes before does it.
        guard !before.contains(context.me) else { return }
        guard before.count < CarriedReceipts.carrierCount else { return }
        let connected = Set(recipients.lazy.map(\.device.id))
        let chains = replica.group.devices(of: state.device.user)
        let offered = counting(in: replica.id, context).filter { record in
            record.device.user != context.me && record.device.user != state.device.user
                && !connected.contains(record.device.id) && chains.contains { record.marks[$0] != nil }
        }
        guard !offered.isEmpty else { return }
        name(offered.map(\.receiptVersion), to: id, in: replica, context)
    }

    /// Sends receipts to a peer that it did not get from their devices, in messages of about a quarter of a mebibyte.
    mutating func send(_ records: [ReceiptRecord], to id: ReceiptComparison.ID) {
        var part: [[UInt8]] = []
        var bytes = 0
        for record in records {
            part.append(record.encoded)
            bytes += record.encoded.count
            guard bytes >= Self.messageBytes || part.count == PeerMessage.maximumReceipts else { continue }
            requests.append(.replicate(.saying(.receipts(.receipts(part)), of: id.conversation, to: [id.peer], .bulk)))
            (part, bytes) = ([], 0)
        }
        if !part.isEmpty {
            requests.append(.replicate(.saying(.receipts(.receipts(part)), of: id.conversation, to: [id.peer], .bulk)))
        }
    }
}
