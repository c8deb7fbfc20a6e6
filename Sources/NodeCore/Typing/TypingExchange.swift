import Conversations
import OperationLog
import Replication
import Storage
import Time

/// Who writes: said to the members of the moment, and heard of them. Nothing of it is stored, and nothing waits.
struct TypingExchange {
    /// What happens.
    enum Event {
        /// Time passed.
        case tick
        /// Operations came into a conversation, or its members changed.
        case committed([AdmittedOperation], in: ConversationID)
        /// A peer said that somebody writes; with the peers that hear of it in this conversation.
        case heard([UInt8], in: ConversationID, from: PeerHandle, hearers: Set<PeerHandle>)
    }

    /// A connected device that may read what is written now, with its position in the view.
    struct Recipient {
        let peer: PeerHandle
        let place: Int
    }

    /// Who is writing what others will read.
    private(set) var typingIndicators = TypingIndicators()
    /// When this device last said that its user writes.
    private var last: (moment: Instant, counter: UInt64)?
    private var requests: [MachineRequest] = []

    /// When there is something to do.
    var nextDeadline: Instant? { typingIndicators.nextExpiry.map(Instant.init(sinceStart:)) }

    /// Takes in what happened, and returns what is to be done about it, in order.
    mutating func handle(_ event: Event, in context: NodeContext) -> [MachineRequest] {
        switch event {
        case .tick:
            for conversation in typingIndicators.expire(at: context.now.sinceStart) { show(conversation) }
        case .committed(let operations, let conversation): end(by: operations, in: conversation, context)
        case .heard(let bytes, let conversation, let peer, let hearers):
            hear(bytes, in: conversation, from: peer, hearers: hearers, context)
        }
        defer { requests = [] }
        return requests
    }

    private mutating func show(_ conversation: ConversationID) {
        requests.append(.effect(.show(.typing(conversation))))
    }

    // MARK: - Telling

    /// Whether it is time to say again that the user writes.
    func isDue(at now: Instant) -> Bool { last.map { now - $0.moment >= TypingIndicators.pace } ?? true }

    /// Says that the user writes.
    ///
    /// - Parameter nonce: random bytes that seal it.
    mutating func tell(
        _ recipients: [Recipient], in conversation: ConversationID, epoch: OperationID, key: EpochKey, nonce: [UInt8],
        _ context: NodeContext
    ) -> [MachineRequest] {
        var reached = DeliveredReaders()
        for recipient in recipients { reached.insert(recipient.place) }
        // By the clock, so that it rises over a restart; should the clock have gone back, the next message mends it.
        let counter = max((last?.counter ?? 0) + 1, UInt64(clamping: context.moment.wall.milliseconds))
        last = (context.now, counter)
        let signal = TypingSignal(
            by: context.keys.author, in: conversation, epoch: epoch, key: key,
            replicaEpoch: context.storage.replicaEpoch,
            stamp: TypingSignal.Stamp(
                written: context.replicas[conversation].map(context.written) ?? 0, counter: counter),
            reached: reached, nonce: nonce)
        return [.replicate(.saying(.typing(signal.encoded), of: conversation, to: recipients.map(\.peer)))]
    }

    /// The connected devices that may read what is written now, each with its place in the view; by connection.
    static func recipients(among view: View, hearers: Set<PeerHandle>, _ context: NodeContext) -> [Recipient] {
        hearers.sorted().compactMap { peer in
            guard let other = context.links[peer]?.identity?.device, let place = view.place(of: other.id) else {
                return nil
            }
            return Recipient(peer: peer, place: place)
        }
    }

    // MARK: - Hearing

    /// Takes in that somebody writes, and tells it to those members whom they cannot reach themselves.
    ///
    /// Only what comes from its author is passed on: so nothing goes further than over one member.
    private mutating func hear(
        _ bytes: [UInt8], in conversation: ConversationID, from peer: PeerHandle, hearers: Set<PeerHandle>,
        _ context: NodeContext
    ) {
        guard let replica = context.replicas[conversation], replica.group.isMember(context.me),
            let sender = context.links[peer]?.identity?.device.id
        else { return }
        let signal: TypingSignal
        do throws(MalformedBytes) {
            signal = try TypingSignal(verifying: bytes, in: conversation)
        } catch {
            // Whoever passes a signal on has verified it.
            guard error.isOffense else { return }
            return requests.append(.replicate(.offended(peer, reason: "malformed typing: \(error)")))
        }
        // What this node does not know yet, or no more, is no offense.
        guard signal.device.id != context.device.id, replica.group.isMember(signal.device.user),
            let epoch = replica.epochs.all[signal.epoch], epoch.view.contains(signal.device.id),
            case .held(let key) = epoch.key, let reached = try? signal.open(with: key, in: conversation)
        else { return }
        let written = replica.log.contentFrontier.sequenceNumber(of: signal.device.id)
        guard
            case .heard(let isNews) = typingIndicators.hear(
                signal, in: conversation, written: written, at: context.now.sinceStart)
        else { return }
        if isNews { show(conversation) }
        requests.append(.wake)
        guard sender == signal.device.id else { return }
        let others = Self.recipients(among: epoch.view, hearers: hearers, context).filter { recipient in
            recipient.peer != peer && !reached.contains(recipient.place)
        }
        if !others.isEmpty {
            requests.append(.replicate(.saying(.typing(bytes), of: conversation, to: others.map(\.peer))))
        }
    }

    /// Ends the writing of those who have sent what they wrote, or are no members any more.
    private mutating func end(
        by committed: [AdmittedOperation], in conversation: ConversationID, _ context: NodeContext
    ) {
        guard let group = context.replicas[conversation]?.group else { return }
        let isHeard = group.isMember(context.me)
        var isNews = typingIndicators.keep(in: conversation) { isHeard && group.isMember($0) }
        for operation in committed.lazy.map(\.operation) where operation.header.type == .message {
            let ends = typingIndicators.wrote(
                operation.author, sequenceNumber: operation.header.sequenceNumber, in: conversation)
            isNews = isNews || ends
        }
        if isNews { show(conversation) }
    }
}
