import Conversations
import Cryptography
import OperationLog
import Replication
import Time

/// What the node's owner and its commands ask of ``TypingExchange``.
extension NodeCore {
    /// Tells who writes what happened, and carries out what is asked for.
    mutating func tellTyping(_ event: TypingExchange.Event) {
        carryOut(typingExchange.handle(event, in: context))
    }

    // MARK: - Telling

    /// Tells the connected members that the user writes; called with every key, it does so every
    /// ``TypingIndicators/pace`` at most.
    ///
    /// Where no key is there for the members of the moment it makes one, which the message would do as well.
    ///
    /// - Throws: `conversation_not_found`, `not_a_participant`, `not_accepted`, `announcement_only`,
    ///   `invalid_operation` to a blocked person alone, `disk_full`, `storage_failed`.
    public mutating func type(in conversation: ConversationID, at moment: Moment) throws(NodeError) {
        self.moment = moment
        try requireWritable()
        let replica = try replica(conversation)
        try requireMembership(in: replica)
        guard replica.group.mayWrite(me) else {
            throw NodeError(
                .announcementOnly, "Only admins and moderators can write in this group",
                hint: "Ask an admin of the group to let everybody write.")
        }
        try requireOtherNotBlocked(in: replica)
        guard typingExchange.isDue(at: now), !recipients(in: conversation).isEmpty else { return }
        try publishKey(in: conversation)
        guard let epoch = try currentEpoch(in: conversation) else { return }
        let recipients = recipients(in: conversation)
        guard !recipients.isEmpty else { return }
        let nonce = random.bytes(ExtendedNonceCipher.nonceByteCount)
        carryOut(
            typingExchange.tell(
                recipients, in: conversation, epoch: epoch.id, key: epoch.key, nonce: nonce, context))
    }

    /// The key for what is written now; made durable first if there is none.
    private mutating func currentEpoch(
        in conversation: ConversationID
    ) throws(NodeError) -> (id: OperationID, key: EpochKey)? {
        if let usable = usableEpoch(in: conversation) { return usable }
        _ = try write(closed: [], in: conversation)
        return usableEpoch(in: conversation)
    }

    private mutating func usableEpoch(in conversation: ConversationID) -> (id: OperationID, key: EpochKey)? {
        guard let view = currentView(in: conversation) else { return nil }
        return replicas[conversation]?.epochs.usable(for: view.id)
    }

    private mutating func currentView(in conversation: ConversationID) -> View? {
        guard let heads = replicas[conversation]?.log.membership.heads else { return nil }
        // In place: a copy of the replica would cost more than the view.
        return replicas[conversation]?.view(at: heads)
    }

    private mutating func recipients(in conversation: ConversationID) -> [TypingExchange.Recipient] {
        guard let view = currentView(in: conversation) else { return [] }
        return TypingExchange.recipients(among: view, hearers: hearers(in: conversation), context)
    }

    /// The peers that hear at once what is written in a conversation, and who writes.
    func hearers(in conversation: ConversationID) -> Set<PeerHandle> {
        Set(links.keys.filter { replicator.reaches($0, in: conversation) })
    }

    // MARK: - Hearing

    /// Takes in that a peer says somebody writes.
    mutating func hear(typing bytes: [UInt8], in conversation: ConversationID, from peer: PeerHandle) {
        tellTyping(.heard(bytes, in: conversation, from: peer, hearers: hearers(in: conversation)))
    }

    /// Who is writing what others will read.
    package var typingIndicators: TypingIndicators { typingExchange.typingIndicators }

    /// The other people who write in a conversation and are not blocked, in the order in which they began.
    public func peopleTyping(in conversation: ConversationID, at moment: Moment) -> [UserID] {
        typingIndicators.people(in: conversation, at: moment.monotonic.sinceStart).filter { $0 != me && !isBlocked($0) }
    }
}
