import Conversations
import Cryptography
import OperationLog
import Replication
import Storage
import Time

/// Two nodes compare what their users' receipts say of each other. Of everybody else they compare nothing: others'
/// receipts change with every message, and are nobody's business but their authors'.
extension ReceiptExchange {
    // MARK: - What is compared

    /// The digest of what is held of a peer's user and this node's about each other; two devices of one user compare
    /// all about that user.
    ///
    /// It covers marks and not versions: a receipt that changed for others alone is not sent, and is no difference.
    ///
    /// - Complexity: O(*n* log *n*) in the devices of two users; of one, in the receipts.
    private func digest(with other: UserID, in replica: Replica, _ context: NodeContext) -> Digest? {
        let (mine, theirs) = (replica.group.devices(of: context.me), replica.group.devices(of: other))
        var writer = CanonicalWriter(capacity: 256)
        for record in compared(with: other, in: replica, context) {
            for chain in other == context.me || record.device.user == other ? mine : theirs {
                guard let mark = record.marks[chain] else { continue }
                writer.write(record.device.id)
                writer.write(chain)
                writer.write(number: mark.received)
                writer.write(number: mark.received - mark.read)
            }
        }
        return writer.bytes.isEmpty ? nil : Digest.hash("moot/1/receipts", writer.bytes)
    }

    /// The receipts that are compared with a user's devices, ascending by device.
    private func compared(with other: UserID, in replica: Replica, _ context: NodeContext) -> [ReceiptRecord] {
        if other == context.me { return counting(in: replica.id, context) }
        return (replica.group.countingDevices(of: context.me) + replica.group.countingDevices(of: other)).sorted()
            .compactMap { known[replica.id]?[$0] }
    }

    /// Whether a peer said last that it holds what is held here.
    func isEqual(_ id: ReceiptComparison.ID, in replica: Replica, _ context: NodeContext) -> Bool {
        guard let state = comparisons[id.peer]?[id.conversation], let said = state.comparison.said else { return false }
        return said.isOf(digest(with: state.device.user, in: replica, context) ?? Self.nothing)
    }

    /// The digest of no receipts.
    private static let nothing = Digest.hash("moot/1/receipts", [])

    // MARK: - When

    /// Notes when something is to be done about a peer.
    mutating func plan(_ id: ReceiptComparison.ID) {
        due[id] = comparisons[id.peer]?[id.conversation]?.next
        if due[id] != nil { requests.append(.wake) }
    }

    /// Plans to look whether what was sent has come: one peer in half a minute, in turn.
    mutating func planCheck(of conversation: ConversationID, at now: Instant) {
        guard plans[conversation]?.checkAt == nil,
            comparisons.values.contains(where: { $0[conversation]?.isUnchecked == true })
        else { return }
        plans[conversation, default: ReceiptPlan()].planCheck(at: now)
        requests.append(.wake)
    }

    /// Does what is due.
    mutating func flushComparisons(in context: NodeContext) {
        for conversation in plans.filter({ $0.value.checkAt.map { $0 <= context.now } ?? false }).keys.sorted() {
            check(conversation, in: context)
        }
        for id in due.filter({ $0.value <= context.now }).keys.sorted() {
            guard let state = comparisons[id.peer]?[id.conversation],
                let replica = context.replicas[id.conversation]
            else {
                due[id] = nil
                continue
            }
            if state.comparison.tellAt.map({ $0 <= context.now }) ?? false { tell(id, in: replica, context) }
            if state.deliverAt.map({ $0 <= context.now }) ?? false { deliver(to: id, in: replica) }
            if state.offerAt.map({ $0 <= context.now }) ?? false {
                comparisons[id.peer]?[id.conversation]?.offerAt = nil
                leaveUncarried(with: id, in: replica, context)
                offer(id, in: replica, context)
            }
            if state.comparison.askAt.map({ $0 <= context.now }) ?? false { ask(id, in: replica, context) }
            plan(id)
        }
    }

    /// Tells the next of the peers with which receipts were exchanged what is held, should one have been lost.
    private mutating func check(_ conversation: ConversationID, in context: NodeContext) {
        let waiting = comparisons.compactMapValues { states in
            states[conversation].flatMap { $0.isUnchecked ? $0.device.user : nil }
        }
        guard let peer = plans[conversation]?.nextToCheck(among: waiting, at: context.now),
            let replica = context.replicas[conversation]
        else { return }
        comparisons[peer]?[conversation]?.isUnchecked = false
        tell(ReceiptComparison.ID(peer: peer, conversation: conversation), in: replica, context)
        planCheck(of: conversation, at: context.now)
    }

    // MARK: - Telling

    /// Tells a peer the digest of what is held, unless it knows.
    ///
    /// - Parameter isLate: whether the peer may have sent something before it could be taken: then it is told of
    ///   nothing, too.
    mutating func tell(
        _ id: ReceiptComparison.ID, isLate: Bool = false, in replica: Replica, _ context: NodeContext
    ) {
        comparisons[id.peer]?[id.conversation]?.comparison.stopTelling()
        guard let state = comparisons[id.peer]?[id.conversation], state.isMet else { return }
        guard !congested.contains(id.peer) else {
            // It is told once there is room.
            comparisons[id.peer]?[id.conversation]?.isUnchecked = true
            return
        }
        let digest = digest(with: state.device.user, in: replica, context)
        // Whoever holds nothing has nothing to tell, and hears of it from them.
        guard digest != nil || state.comparison.told != nil || isLate,
            comparisons[id.peer]?[id.conversation]?.comparison.tell(digest ?? Self.nothing, at: context.now) == true
        else { return }
        guard let transcript = context.links[id.peer]?.transcript else { return }
        let said = ReceiptDigest(of: digest ?? Self.nothing, transcript: transcript)
        requests.append(.replicate(.saying(.receipts(.digest(said)), of: id.conversation, to: [id.peer])))
    }

    /// Plans to tell a peer what is held, after something has come.
    private mutating func tellSoon(_ id: ReceiptComparison.ID, every interval: Duration = .zero, at now: Instant) {
        let earliest = comparisons[id.peer]?[id.conversation]?.comparison.told.map { $0.at + interval }
        if comparisons[id.peer]?[id.conversation]?.comparison.owe(at: now, notBefore: earliest) != nil { plan(id) }
    }

    /// Notes that receipts of some devices were taken.
    ///
    /// - Parameter isForUser: whether one of them says something new of what this user wrote.
    mutating func noteTaken(
        from peer: PeerHandle, in replica: Replica, isForUser: Bool, _ context: NodeContext
    ) {
        let id = ReceiptComparison.ID(peer: peer, conversation: replica.id)
        comparisons[peer]?[replica.id]?.isUnchecked = true
        if comparisons[peer]?[replica.id]?.comparison.askAt != nil { tellSoon(id, at: context.now) }
        planCheck(of: replica.id, at: context.now)
        guard isForUser else { return }
        for other in comparisons.keys.sorted() where other != peer {
            guard comparisons[other]?[replica.id]?.device.user == context.me else { continue }
            tellSoon(
                ReceiptComparison.ID(peer: other, conversation: replica.id), every: ReceiptComparison.tellInterval,
                at: context.now)
        }
    }

    /// Notes that there is room again on a connection, or none: what was not sent therefore is compared.
    mutating func note(isCongested: Bool, of peer: PeerHandle, in context: NodeContext) {
        guard !isCongested else {
            congested.insert(peer)
            return
        }
        guard congested.remove(peer) != nil else { return }
        for (conversation, state) in (comparisons[peer] ?? [:]).sorted(by: { $0.key < $1.key }) {
            let id = ReceiptComparison.ID(peer: peer, conversation: conversation)
            if carried[conversation]?.waits(for: state.device.id) == true { deliverSoon(to: id, context) }
            if state.isUnchecked { tellSoon(id, at: context.now) }
        }
    }

    // MARK: - Hearing

    /// Takes in what a peer says it holds.
    mutating func hear(
        _ digest: ReceiptDigest, of conversation: ConversationID, from peer: PeerHandle, in context: NodeContext
    ) {
        let id = ReceiptComparison.ID(peer: peer, conversation: conversation)
        guard let state = comparisons[peer]?[conversation], let replica = context.replicas[conversation],
            let transcript = context.links[peer]?.transcript
        else { return }
        let heard = HeardReceiptDigest(digest: digest, transcript: transcript)
        comparisons[peer]?[conversation]?.comparison.hear(heard)
        guard state.isMet else { return }
        // They have just met: one of them asks at once.
        let isFirst = state.comparison.said == nil && state.isOutgoing
        compareLater(id, after: isFirst ? .zero : ReceiptComparison.grace, in: replica, context)
    }

    /// Plans a comparison with a peer that holds something else, or drops it.
    mutating func compareLater(
        _ id: ReceiptComparison.ID, after delay: Duration, in replica: Replica, _ context: NodeContext
    ) {
        guard comparisons[id.peer]?[id.conversation]?.comparison.said != nil else { return }
        if isEqual(id, in: replica, context) {
            noteEqual(id)
        } else {
            comparisons[id.peer]?[id.conversation]?.comparison.askLater(after: delay, at: context.now)
        }
        plan(id)
    }

    private mutating func noteEqual(_ id: ReceiptComparison.ID) {
        // They have this device's own: nobody needs to keep it for them.
        if let device = comparisons[id.peer]?[id.conversation]?.device.id {
            carried[id.conversation]?.reach(device)
        }
        comparisons[id.peer]?[id.conversation]?.comparison.noteEqual()
        comparisons[id.peer]?[id.conversation]?.isUnchecked = false
    }

    /// Whether to ask for what a peer has just named. What it offers of others has a pace of its own: it offers that
    /// once.
    private mutating func mayAsk(
        for lacking: [ReceiptVersion], beyond compared: Set<DeviceID>, _ id: ReceiptComparison.ID, at now: Instant
    ) -> Bool {
        guard var budgets = comparisons[id.peer]?[id.conversation]?.budgets else { return false }
        defer { comparisons[id.peer]?[id.conversation]?.budgets = budgets }
        let isOffer = lacking.contains { !compared.contains($0.device) }
        return isOffer ? budgets.offers.take(at: now) : budgets.questions.take(at: now)
    }

    /// Asks a peer for what is newer than what is held here, unless both hold the same by now.
    private mutating func ask(_ id: ReceiptComparison.ID, in replica: Replica, _ context: NodeContext) {
        comparisons[id.peer]?[id.conversation]?.comparison.stopAsking()
        guard comparisons[id.peer]?[id.conversation]?.isMet == true else { return }
        guard !isEqual(id, in: replica, context) else { return noteEqual(id) }
        comparisons[id.peer]?[id.conversation]?.comparison.noteAsked(at: context.now)
        comparisons[id.peer]?[id.conversation]?.comparison.askLater(after: .zero, at: context.now)
        _ = comparisons[id.peer]?[id.conversation]?.budgets.questions.take(at: context.now)
        name([], to: id, in: replica, context)
    }

    /// Names to a peer the receipts that are compared with it, and some others.
    func versions(
        beyond others: [ReceiptVersion], for user: UserID, in replica: Replica, _ context: NodeContext
    ) -> [ReceiptVersion] {
        let named = compared(with: user, in: replica, context).map(\.receiptVersion)
        let known = Set(named.lazy.map(\.device))
        let all = named + others.filter { !known.contains($0.device) }
        return Array(all.prefix(PeerMessage.maximumChains)).sorted { $0.device < $1.device }
    }

    /// Names to a peer the receipts that are compared with it, and some others.
    mutating func name(
        _ others: [ReceiptVersion], to id: ReceiptComparison.ID, in replica: Replica, _ context: NodeContext
    ) {
        guard let user = comparisons[id.peer]?[id.conversation]?.device.user else { return }
        let versions = versions(beyond: others, for: user, in: replica, context)
        requests.append(.replicate(.saying(.receipts(.versions(versions)), of: id.conversation, to: [id.peer])))
    }

    // MARK: - Answering

    /// Sends a peer the receipts that are newer than what it names, and asks for those that it names and that are newer
    /// than what is here.
    mutating func answer(
        _ versions: [ReceiptVersion], of conversation: ConversationID, from peer: PeerHandle, in context: NodeContext
    ) {
        let id = ReceiptComparison.ID(peer: peer, conversation: conversation)
        guard let state = comparisons[peer]?[conversation], state.isMet, !congested.contains(peer),
            let replica = context.replicas[conversation]
        else { return }
        let theirs = Dictionary(versions.map { ($0.device, $0) }) { first, _ in first }
        let other = state.device.user
        let chains = replica.group.devices(of: other)
        let compared = Set(compared(with: other, in: replica, context).lazy.map(\.device.id))
        let found = counting(in: conversation, context).filter { record in
            if let named = theirs[record.device.id] { return record.receiptVersion.supersedes(named) }
            // Of others nothing was asked.
            guard compared.contains(record.device.id) else { return false }
            return record.device.user == other || chains.contains { record.marks[$0] != nil }
        }
        send(found, to: id)
        tellSoon(id, at: context.now)
        let counting = replica.group.countingDevices
        let lacking = versions.filter { named in
            guard counting.contains(named.device) else { return false }
            return known[conversation]?[named.device].map { named.supersedes($0.receiptVersion) } ?? (named.version > 0)
        }
        guard !lacking.isEmpty, mayAsk(for: lacking, beyond: compared, id, at: context.now) else { return }
        let held = lacking.map { named in
            known[conversation]?[named.device]?.receiptVersion ?? ReceiptVersion(ofNoneBy: named.device)
        }
        name(held, to: id, in: replica, context)
    }
}
