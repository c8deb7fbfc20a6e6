import Conversations
import Cryptography
import OperationLog
import Replication

/// Who writes: said to the members of the moment, and heard of them. Nothing of it is stored, and nothing waits.
extension NodeCore {
    // MARK: - Telling

    /// Tells the connected members that the user writes; called with every key, it does so every ``Typists/pace`` at most.
    ///
    /// Where no key is there for the members of the moment it makes one, which the message would do as well.
    ///
    /// - Throws: `conversation_not_found`, `not_a_participant`, `not_accepted`, `announcement_only`, `invalid_operation` to a blocked person
    ///   alone, `disk_full`, `storage_failed`.
    public mutating func type(in conversation: ConversationID, at moment: Moment) throws(NodeError) {
        self.moment = moment
        try checkIsOnlyCopy()
        let replica = try replica(conversation)
        try checkThatITakePart(in: replica)
        guard replica.group.mayWrite(me) else {
            throw NodeError(.announcementOnly, "Only admins and moderators can write in this group")
        }
        try checkThatTheOtherIsHeard(in: replica)
        if let lastTyping, now - lastTyping.moment < Typists.pace { return }
        guard !recipients(in: conversation).isEmpty else { return }
        try publishKey(in: conversation)
        guard let epoch = try epochOfNow(in: conversation) else { return }
        let recipients = recipients(in: conversation)
        guard !recipients.isEmpty else { return }
        var reached = Reached()
        for recipient in recipients { reached.insert(recipient.place) }
        // By the clock, so that it rises over a restart; should the clock have gone back, the next message mends it.
        let counter = max((lastTyping?.counter ?? 0) + 1, UInt64(clamping: moment.wall.milliseconds))
        lastTyping = (now, counter)
        let written = replicas[conversation]?.log.contentFrontier.sequenceNumber(of: device.id) ?? 0
        let signal = TypingSignal(
            by: keys.author, in: conversation, epoch: epoch.id, key: epoch.key, replicaEpoch: storage.replicaEpoch,
            stamp: TypingSignal.Stamp(written: written, counter: counter), reached: reached,
            nonce: random.bytes(ExtendedNonceCipher.nonceByteCount))
        replicate(.typing(conversation, signal.encoded, to: recipients.map(\.peer)))
    }

    /// The key for what is written now; made durable first if there is none.
    private mutating func epochOfNow(
        in conversation: ConversationID
    ) throws(NodeError) -> (id: OperationID, key: EpochKey)? {
        if let usable = usableEpoch(in: conversation) { return usable }
        _ = try write(closed: [], in: conversation)
        return usableEpoch(in: conversation)
    }

    private mutating func usableEpoch(in conversation: ConversationID) -> (id: OperationID, key: EpochKey)? {
        guard let view = viewOfNow(in: conversation) else { return nil }
        return replicas[conversation]?.epochs.usable(for: view.id)
    }

    private mutating func viewOfNow(in conversation: ConversationID) -> View? {
        guard let heads = replicas[conversation]?.log.membership.heads else { return nil }
        // In place: a copy of the replica would cost more than the view.
        return replicas[conversation]?.view(at: heads)
    }

    /// The connected devices that may read what is written now, each with its place in the view; by connection.
    private mutating func recipients(in conversation: ConversationID) -> [(peer: PeerHandle, place: Int)] {
        guard let view = viewOfNow(in: conversation) else { return [] }
        return recipients(among: view, in: conversation)
    }

    private func recipients(among view: View, in conversation: ConversationID) -> [(peer: PeerHandle, place: Int)] {
        links.sorted { $0.key < $1.key }.compactMap { peer, link in
            guard let other = link.identity?.device, let place = view.place(of: other.id),
                replicator.hearsOfTyping(in: conversation, peer)
            else { return nil }
            return (peer, place)
        }
    }

    // MARK: - Hearing

    /// Takes in that somebody writes, and tells it to those members whom he cannot reach himself.
    ///
    /// Only what comes from its author is passed on: so nothing goes further than over one member.
    mutating func overhear(_ bytes: [UInt8], in conversation: ConversationID, from peer: PeerHandle) {
        guard let replica = replicas[conversation], replica.group.isMember(me),
            let sender = links[peer]?.identity?.device.id
        else { return }
        let signal: TypingSignal
        do throws(MalformedBytes) {
            signal = try TypingSignal(verifying: bytes, in: conversation)
        } catch {
            // Whoever passes a signal on has verified it.
            guard error.isLie else { return }
            return replicate(.offended(peer, reason: "malformed typing: \(error)"))
        }
        // What this node does not know yet, or no more, is no offence.
        guard signal.device.id != device.id, replica.group.isMember(signal.device.user),
            let epoch = replica.epochs.all[signal.epoch], epoch.view.contains(signal.device.id),
            case .held(let key) = epoch.key, let reached = try? signal.open(with: key, in: conversation)
        else { return }
        let written = replica.log.contentFrontier.sequenceNumber(of: signal.device.id)
        guard
            case .heard(let isNews) = typists.hear(
                signal, in: conversation, written: written, at: now.sinceStart)
        else { return }
        if isNews { show(.typing(conversation)) }
        planWake()
        guard sender == signal.device.id else { return }
        let others = recipients(among: epoch.view, in: conversation).filter { recipient in
            recipient.peer != peer && !reached.contains(recipient.place)
        }
        if !others.isEmpty { replicate(.typing(conversation, bytes, to: others.map(\.peer))) }
    }

    /// The other people who write in a conversation and are not blocked, in the order in which they began.
    public func typists(in conversation: ConversationID, at moment: Moment) -> [UserID] {
        typists.people(in: conversation, at: moment.monotonic.sinceStart).filter { $0 != me && !isBlocked($0) }
    }

    /// Ends the writing of those who have sent what they wrote, or are no members any more.
    mutating func endTyping(by committed: [AdmittedOperation], in replica: Replica) {
        let isHeard = replica.group.isMember(me)
        var isNews = typists.keep(in: replica.id) { isHeard && replica.group.isMember($0) }
        for operation in committed.lazy.map(\.operation) where operation.header.type == .message {
            let ends = typists.wrote(
                operation.author, sequenceNumber: operation.header.sequenceNumber, in: replica.id)
            isNews = isNews || ends
        }
        if isNews { show(.typing(replica.id)) }
    }

    /// Ends the writing of those who were not heard lately.
    mutating func forgetTypists() {
        for conversation in typists.expire(at: now.sinceStart) { show(.typing(conversation)) }
    }
}
