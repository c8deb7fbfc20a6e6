import Conversations
import OperationLog
import Replication
import Storage
import Time

/// Asks for bodies that are for this device and did not come with their headers: whoever relayed those may not have had them.
struct BodyFetcher {
    /// What happens.
    enum Event {
        /// Time passed.
        case tick
        /// Something is wanted in a conversation, or wanted no more.
        case changed(ConversationID)
        /// A device answered with bodies, some of which were wanted.
        case answered([OperationID], wanted: [AdmittedOperation], by: DeviceID?, in: ConversationID)
    }

    /// A search for the bodies of one conversation.
    private struct Search {
        /// How many answers in a row brought nothing.
        var emptyReplies = 0
        /// What was asked of a device last, ascending.
        var asked: (device: DeviceID, bodies: [OperationID])?
        /// The devices that were asked for a body and did not have it.
        var denials: [OperationID: Set<DeviceID>] = [:]
        /// Whom to ask next, and after everybody was asked the next part: counted through both.
        var turn = 0
        /// Not before this moment.
        var next: Instant

        /// Notes what a device did not have of what it was asked for. An answer ends where there was no room for more.
        mutating func take(_ answered: [OperationID], to asked: (device: DeviceID, bodies: [OperationID])) {
            self.asked = nil
            let lacking = Set(asked.bodies).subtracting(answered).filter { id in answered.last.map { id < $0 } ?? true }
            for id in lacking { denials[id, default: []].insert(asked.device) }
            for id in answered { denials[id] = nil }
        }
    }

    /// How long a peer has to answer.
    private static let timeout: Duration = .seconds(2)
    /// How long to wait at most before asking again when nobody has a body.
    private static let maximumBackoff: Duration = .seconds(10)
    /// Bytes in an answer after which the same peer is asked again; a full answer has twice as many.
    private static let manyBytes = Limits.targetBatchBytes / 4

    private var searches: [ConversationID: Search] = [:]
    private var requests: [MachineRequest] = []

    /// Takes in what happened, and returns what is to be done about it, in order.
    mutating func handle(_ event: Event, in context: inout NodeContext) -> [MachineRequest] {
        switch event {
        case .tick:
            for id in context.replicas.keys.sorted() where context.replicas[id]?.wanted.isEmpty == false {
                ask(in: id, &context)
            }
        case .changed(let conversation): ask(in: conversation, &context)
        case .answered(let bodies, let wanted, let device, let conversation):
            take(bodies, wanted: wanted, from: device, in: conversation, at: context.now)
        }
        defer { requests = [] }
        return requests
    }

    /// The devices that were asked for a body and did not have it.
    func denials(of body: OperationID, in conversation: ConversationID) -> Set<DeviceID> {
        searches[conversation]?.denials[body] ?? []
    }

    /// Asks one connected member for what is wanted and may be here with them, unless an answer is due.
    ///
    /// One after the other is asked, and of much that is wanted one part after the other: what a liar keeps to themselves must not stand in
    /// the way of what others have.
    private mutating func ask(in conversation: ConversationID, _ context: inout NodeContext) {
        guard let replica = context.replicas[conversation], !replica.wanted.isEmpty else {
            searches[conversation] = nil
            return
        }
        let now = context.now
        var search = searches[conversation] ?? Search(next: now)
        guard search.next <= now else { return }
        let peers = context.links.sorted { $0.key < $1.key }.compactMap { handle, link in
            link.identity.flatMap {
                replica.group.isMember($0.device.user)
                    ? (handle, $0.device.id, context.isOwn($0.device)) : nil
            }
        }
        guard !peers.isEmpty else { return }
        let wanted = replica.wanted.sorted()
        let parts = (wanted.count + PeerMessage.maximumBodies - 1) / PeerMessage.maximumBodies
        var holders: [Int: [Holders]] = [:]
        for _ in 0..<peers.count {
            let (peer, device, isOwn) = peers[search.turn % peers.count]
            let part = search.turn / peers.count % parts
            search.turn += 1
            let candidates = wanted[
                part * PeerMessage.maximumBodies..<min(wanted.count, (part + 1) * PeerMessage.maximumBodies)]
            // Read once, whoever is asked.
            let found = holders[part] ?? candidates.map { Self.holders(of: $0, in: conversation, &context) }
            holders[part] = found
            let asked = zip(candidates, found).filter { $1.include(device, isOwn: isOwn) }.map(\.0)
            guard !asked.isEmpty else { continue }
            requests.append(.replicate(.bodiesWanted(peer, conversation, asked)))
            search.asked = (device, asked)
            break
        }
        // Also where nobody who is here may have it.
        search.next = now + Self.timeout
        searches[conversation] = search
    }

    /// Who may have a body.
    private enum Holders {
        case everybody, nobody
        /// What is closed is with its readers and the other devices of this user alone.
        case readers(View)

        func include(_ device: DeviceID, isOwn: Bool) -> Bool {
            switch self {
            case .everybody: true
            case .nobody: false
            case .readers(let view): isOwn || view.contains(device)
            }
        }
    }

    private static func holders(
        of body: OperationID, in conversation: ConversationID, _ context: inout NodeContext
    ) -> Holders {
        guard let header = try? context.storage.operation(body, of: conversation)?.header else { return .nobody }
        guard header.type.isClosed else { return .everybody }
        // First its key, so that it is read as soon as it comes.
        if let epoch = header.epoch, context.replicas[conversation]?.epochs.elsewhere.contains(epoch) == true {
            return .nobody
        }
        // In place: a copy of the replica would cost more than the view.
        return context.replicas[conversation]?.view(at: header.membershipHeads).map(Holders.readers) ?? .nobody
    }

    /// Takes in the answer of the device that was asked; what others send tells nothing of what to ask next.
    private mutating func take(
        _ answered: [OperationID], wanted: [AdmittedOperation], from device: DeviceID?,
        in conversation: ConversationID, at now: Instant
    ) {
        guard var search = searches[conversation], let asked = search.asked, asked.device == device else { return }
        let bytes = wanted.reduce(0) { $0 + $1.operation.header.bodyLength }
        // Whoever brought so much is asked for the rest: in turn over everybody, a few who hold much would be slow.
        if bytes >= Self.manyBytes { search.turn -= 1 }
        search.take(answered, to: asked)
        search.emptyReplies = wanted.isEmpty ? min(search.emptyReplies + 1, 10) : 0
        search.next =
            wanted.isEmpty ? now + min(Self.maximumBackoff, .milliseconds(500 << search.emptyReplies)) : now
        searches[conversation] = search
    }
}
