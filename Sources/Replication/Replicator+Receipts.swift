import Cryptography
import OperationLog
import Time

/// Makes receipts equal.
///
/// A device sends its own receipt to every member it is connected to, and with it a digest of all it holds. Whoever hears another digest than
/// their own for a while says which versions they have and gets what is newer: so receipts also reach those who never meet their author.
extension Replicator {
    /// What this node holds of the receipts of a conversation.
    struct HeldReceipts: Sendable {
        var versions: [DeviceID: ReceiptVersion]
        let digest: Digest

        init(_ versions: [ReceiptVersion]) {
            self.versions = Dictionary(versions.map { ($0.device, $0) }) { first, _ in first }
            var writer = CanonicalWriter(capacity: versions.count * 48)
            for (_, version) in self.versions.sorted(by: { $0.key < $1.key }) { version.write(to: &writer) }
            digest = Digest.hash("moot/1/receipts", writer.bytes)
        }

        /// Whether `other` names something newer than what is held.
        func lacks(_ other: ReceiptVersion) -> Bool {
            versions[other.device].map { other.supersedes($0) } ?? true
        }
    }

    /// What is known of the receipts a peer holds of a conversation.
    struct PeerReceipts: Sendable {
        /// What it said last.
        var said: ReceiptDigest?
        var told: ReceiptDigest?
        /// When it may be told another digest.
        var nextDigestAt: Instant?
        /// Whether there is another digest to tell.
        var isDigestDue = false
        var compareAt: Instant?
        /// When it was last told our versions.
        var asked: Instant?
        /// How many comparisons in a row did not make us equal: a difference may last, because the peer lies or does not know yet who
        /// is a member.
        var failedComparisons = 0

        /// When something is to be done.
        var next: Instant? { [isDigestDue ? nextDigestAt : nil, compareAt].compactMap { $0 }.min() }
    }

    /// How often a peer is told a digest at most: while people read, everybody's changes every moment.
    static let digestInterval: Duration = .seconds(10)
    /// How long what is held must have been settling before a peer is told its digest: what several say at the same moment is then here.
    static let digestDelay: Duration = .milliseconds(500)
    /// How long a difference may be only a receipt on its way: longer than a node waits between two receipts.
    static let receiptTimeout: Duration = .seconds(3)
    /// How often versions are asked for at most because of what a peer says.
    static let receiptBackoff: Duration = .seconds(1)

    private func slot(_ conversation: ConversationID, servedTo peer: PeerHandle) -> PeerMessage.LaneSlot? {
        let id = LaneID(conversation: conversation, lane: .content)
        return serves(id, to: peer) ? slot(id, for: peer) : nil
    }

    private func digest(of conversation: ConversationID, for peer: PeerHandle) -> ReceiptDigest? {
        guard let transcript = peers[peer]?.transcript else { return nil }
        return ReceiptDigest(of: (receipts[conversation] ?? HeldReceipts([])).digest, transcript: transcript)
    }

    // MARK: - Telling

    /// Takes in what is held now, and sends what is new of this device to every member.
    mutating func hold(
        _ versions: [ReceiptVersion], of conversation: ConversationID, new: [[UInt8]], at now: Instant,
        into effects: inout [Effect]
    ) {
        receipts[conversation] = HeldReceipts(versions)
        for peer in peers.keys.sorted() {
            guard let slot = slot(conversation, servedTo: peer) else { continue }
            if !new.isEmpty, peers[peer]?.isCongested == false {
                send(.receipts(slot, new), to: peer, into: &effects)
            }
            scheduleReceiptDigest(of: conversation, to: peer, at: now)
            // The peer mostly got the same, and says so with the next digest it may send.
            settleReceipts(of: conversation, with: peer, after: Self.digestInterval + Self.receiptTimeout, at: now)
        }
    }

    /// Plans to tell a peer the digest of what is held, as soon as it may be told another one.
    private mutating func scheduleReceiptDigest(of conversation: ConversationID, to peer: PeerHandle, at now: Instant) {
        var state = peers[peer]?.receipts[conversation] ?? PeerReceipts()
        guard !state.isDigestDue else { return }
        let moment = max(now + Self.digestDelay, state.nextDigestAt ?? now)
        state.isDigestDue = true
        state.nextDigestAt = moment
        peers[peer]?.receipts[conversation] = state
        plan(moment, for: peer)
    }

    /// Tells a peer the digest that is owed to it.
    private mutating func sendDueReceiptDigest(
        of conversation: ConversationID, to peer: PeerHandle, at now: Instant, into effects: inout [Effect]
    ) {
        guard tellReceipts(of: conversation, to: peer, into: &effects) else { return }
        peers[peer]?.receipts[conversation]?.nextDigestAt = now + Self.digestInterval
    }

    /// Tells a peer the digest of what is held, unless it knows.
    ///
    /// - Returns: whether it was told.
    @discardableResult
    mutating func tellReceipts(
        of conversation: ConversationID, to peer: PeerHandle, into effects: inout [Effect]
    ) -> Bool {
        peers[peer]?.receipts[conversation]?.isDigestDue = false
        guard let slot = slot(conversation, servedTo: peer), let digest = digest(of: conversation, for: peer),
            peers[peer]?.receipts[conversation]?.told != digest
        else { return false }
        // Whoever holds none has nothing to tell, and hears of others' from them.
        guard receipts[conversation]?.versions.isEmpty == false || peers[peer]?.receipts[conversation]?.told != nil
        else { return false }
        peers[peer]?.receipts[conversation, default: PeerReceipts()].told = digest
        send(.receiptDigest(slot, digest), to: peer, into: &effects)
        return true
    }

    /// Plans a comparison with a peer that holds something else, or drops it.
    ///
    /// - Parameter timeout: how long the difference may last, where no comparison was in vain.
    private mutating func settleReceipts(
        of conversation: ConversationID, with peer: PeerHandle, after timeout: Duration = receiptTimeout,
        at now: Instant
    ) {
        guard let state = peers[peer]?.receipts[conversation], let said = state.said else { return }
        if said == digest(of: conversation, for: peer) {
            peers[peer]?.receipts[conversation]?.compareAt = nil
            peers[peer]?.receipts[conversation]?.failedComparisons = 0
        } else if state.compareAt == nil {
            let rest = max(timeout, Self.receiptBackoff(after: state.failedComparisons))
            compareReceipts(of: conversation, with: peer, at: now + rest)
        }
    }

    /// Plans a comparison.
    private mutating func compareReceipts(
        of conversation: ConversationID, with peer: PeerHandle, at moment: Instant
    ) {
        peers[peer]?.receipts[conversation]?.compareAt = moment
        plan(moment, for: peer)
    }

    private static func receiptBackoff(after failedComparisons: Int) -> Duration {
        min(maximumBackoff, receiptTimeout * (1 << min(failedComparisons, 4)))
    }

    // MARK: - Hearing

    mutating func hear(
        _ digest: ReceiptDigest, ofReceiptsOf conversation: ConversationID, from peer: PeerHandle, at now: Instant,
        into effects: inout [Effect]
    ) {
        let isFirst = peers[peer]?.receipts[conversation]?.said == nil
        peers[peer]?.receipts[conversation, default: PeerReceipts()].said = digest
        settleReceipts(of: conversation, with: peer, at: now)
        guard isFirst, peers[peer]?.role == .initiator, peers[peer]?.receipts[conversation]?.compareAt != nil else {
            return
        }
        // They have just met: one of them asks at once.
        compareReceipts(of: conversation, with: peer, at: now)
    }

    mutating func hear(
        _ versions: [ReceiptVersion], of conversation: ConversationID, from peer: PeerHandle, at now: Instant,
        into effects: inout [Effect]
    ) {
        guard slot(conversation, servedTo: peer) != nil, peers[peer]?.isCongested == false else { return }
        effects.append(.findReceipts(peer, conversation, beyond: versions))
        let held = receipts[conversation] ?? HeldReceipts([])
        let asked = peers[peer]?.receipts[conversation]?.asked
        guard versions.contains(where: held.lacks), asked.map({ now - $0 >= Self.receiptBackoff }) ?? true else {
            return
        }
        askForReceipts(of: conversation, from: peer, at: now, into: &effects)
    }

    mutating func found(
        _ receipts: [[UInt8]], of conversation: ConversationID, for peer: PeerHandle, into effects: inout [Effect]
    ) {
        guard !receipts.isEmpty, let slot = slot(conversation, servedTo: peer) else { return }
        send(.receipts(slot, receipts), to: peer, urgency: .bulk, into: &effects)
    }

    private mutating func askForReceipts(
        of conversation: ConversationID, from peer: PeerHandle, at now: Instant, into effects: inout [Effect]
    ) {
        guard let slot = slot(conversation, servedTo: peer) else { return }
        peers[peer]?.receipts[conversation, default: PeerReceipts()].asked = now
        let versions = (receipts[conversation] ?? HeldReceipts([])).versions.values.sorted { $0.device < $1.device }
        send(.receiptVersions(slot, Array(versions.prefix(PeerMessage.maximumChains))), to: peer, into: &effects)
    }

    // MARK: - Time

    /// Tells a peer the digests that are owed to it, and compares where it has held something else for long enough.
    mutating func settleReceipts(with peer: PeerHandle, at now: Instant, into effects: inout [Effect]) {
        let states = peers[peer]?.receipts ?? [:]
        for conversation in states.lazy.filter({ $0.value.next.map { $0 <= now } ?? false }).map(\.key).sorted() {
            guard let state = peers[peer]?.receipts[conversation] else { continue }
            if state.isDigestDue, state.nextDigestAt.map({ $0 <= now }) ?? true {
                sendDueReceiptDigest(of: conversation, to: peer, at: now, into: &effects)
            }
            guard let moment = state.compareAt, moment <= now else { continue }
            let failedComparisons = state.failedComparisons + 1
            peers[peer]?.receipts[conversation]?.failedComparisons = failedComparisons
            compareReceipts(of: conversation, with: peer, at: now + Self.receiptBackoff(after: failedComparisons))
            askForReceipts(of: conversation, from: peer, at: now, into: &effects)
        }
    }
}
