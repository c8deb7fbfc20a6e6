import Conversations
import OperationLog
import Replication
import Time

/// How much room conversations have here: little those that the user has not accepted.
///
/// That is a choice of this replica alone, which it tells nobody: headers stay, so frontiers and digests are the same everywhere. A bound on
/// operations instead would depend on the order in which they come, and split replicas.
struct BodyQuota {
    /// Bytes of one lane of a conversation that the user has not accepted, closed bodies aside.
    static let maximumUnacceptedLaneBytes = 4 << 20
    /// Bytes of all lanes together of conversations in which the user took no part: a key costs nothing, and what lanes hold is in memory.
    static let maximumUnacceptedBytes = 32 << 20
    /// Bytes of one lane of such a conversation that have room however much others take: those who write for the first time are not kept out.
    static let guaranteedLaneBytes = 128 << 10
    /// How many times its bytes a body takes in memory that names people, most of whom nothing else names; and one that brings their records.
    private static let (nameWeight, recordWeight) = (8, 16)
    /// The maximum number of conversations in which the user took no part. Beyond it, strangers cannot introduce further ones, but a few.
    static let maximumRequests = 256
    /// How many conversations the strangers of one host may introduce while this node runs, even when others have used up
    /// ``maximumRequests``; and how many there may be in all.
    static let (guaranteedRequests, maximumRequestsInAll) = (8, 1_024)
    /// How long to wait before bodies are counted anew once more: whoever deletes one text after the other must not make this node read all
    /// that it declined each time.
    private static let recountBackoff: Duration = .seconds(10)

    /// The conversations that strangers on each host have introduced.
    private var introduced: [String: Set<ConversationID>] = [:]
    /// The conversations whose bodies are to be counted anew.
    private(set) var uncounted: Set<ConversationID> = []
    /// When to count again at the earliest.
    private var nextRecount: Instant?
    /// The conversations with declined bodies that the user has accepted.
    private var accepted: Set<ConversationID> = []
    /// Bytes that the lanes of conversations take in which the user takes no part; nil before they were counted.
    private var laneBytes: [ConversationID: [Lane: Int]]?

    // MARK: - Bodies

    /// Notes that the bodies of a conversation take less room than was counted, or that others are in it.
    mutating func recount(_ conversation: ConversationID) { uncounted.insert(conversation) }

    /// Notes that bodies were counted anew.
    mutating func recounted(_ conversation: ConversationID) { uncounted.remove(conversation) }

    /// The conversations whose bodies are to be counted anew now, those among them that the user has accepted since.
    mutating func dueRecounts(in context: inout NodeContext) -> [ConversationID] {
        for (id, replica) in context.replicas
        where !replica.quotas.declined.isEmpty && !accepted.contains(id) && !context.isUnaccepted(replica) {
            accepted.insert(id)
            uncounted.insert(id)
        }
        guard !uncounted.isEmpty, nextRecount.map({ $0 <= context.now }) ?? true else { return [] }
        nextRecount = context.now + Self.recountBackoff
        return uncounted.sorted()
    }

    // MARK: - Lanes

    /// Whether a peer may bring another conversation. Those of which nothing came yet do not count: strangers can announce any number of
    /// groups that do not exist, and must not keep out the ones that do. Nor do those that the user has erased.
    ///
    /// A key costs nothing, and each stranger may bring a group or write to the user. People whom the user knows may bring as many as they
    /// like.
    func mayIntroduce(_ conversation: ConversationID, _ peer: PeerHandle, in context: inout NodeContext) -> Bool {
        guard !context.familiarity.awaited.contains(conversation), let link = context.links[peer],
            let user = link.identity?.device.user, user != context.me
        else { return true }
        context.recordParticipation()
        let settled = Self.settled(in: context)
        let requests = context.replicas.values.count { $0.operationCount > 0 && !settled.contains($0.id) }
        guard requests >= Self.maximumRequests, !context.isFamiliar(user) else { return true }
        let ofHost = introduced[link.endpoint.source]?.subtracting(settled) ?? []
        return requests < Self.maximumRequestsInAll
            && (ofHost.count < Self.guaranteedRequests || ofHost.contains(conversation))
    }

    /// Notes of which host a stranger is who brings the beginning of a conversation.
    private mutating func note(_ conversation: ConversationID, from peer: PeerHandle, _ context: NodeContext) {
        guard let link = context.links[peer], let user = link.identity?.device.user, !context.isFamiliar(user),
            introduced[link.endpoint.source] != nil || introduced.count < Self.maximumRequestsInAll
        else { return }
        var ofHost = introduced[link.endpoint.source]?.subtracting(Self.settled(in: context)) ?? []
        if ofHost.count < Self.guaranteedRequests { ofHost.insert(conversation) }
        introduced[link.endpoint.source] = ofHost
    }

    /// The conversations that wait for no answer of the user.
    private static func settled(in context: NodeContext) -> Set<ConversationID> {
        context.familiarity.joined.union(context.familiarity.erased)
    }

    /// Whether a batch that a peer sent has room: all of it, but in a conversation that the user has not accepted, from a stranger.
    mutating func hasRoom(
        for batch: Batch, in conversation: ConversationID, from peer: PeerHandle, _ context: inout NodeContext
    ) -> Bool {
        guard let replica = context.replicas[conversation], !context.familiarity.joined.contains(conversation) else {
            forget(conversation)
            return true
        }
        // Many may have been announced before anything came of them.
        if replica.operationCount == 0 {
            guard mayIntroduce(conversation, peer, in: &context) else { return false }
            note(conversation, from: peer, context)
        }
        let held = held(in: conversation, &context)
        laneBytes = held.all
        let more = batch.operations.reduce(0) { $0 + Self.laneBytes(of: $1) }
        guard !held.hasRoom(for: more, in: batch.lane, of: conversation) else { return true }
        if let sender = context.links[peer]?.identity?.device.user, context.isFamiliar(sender) { return true }
        return !context.isUnaccepted(replica)
    }

    /// Whether a lane of a conversation is so full that what a stranger brings may find no room, because the user has not accepted it.
    func mayLackRoom(in conversation: ConversationID, _ context: inout NodeContext) -> Bool {
        guard let replica = context.replicas[conversation], context.isUnaccepted(replica) else { return false }
        let held = held(in: conversation, &context)
        return Lane.allCases.contains {
            !held.hasRoom(for: 2 * Limits.targetBatchBytes, in: $0, of: conversation)
        }
    }

    /// Counts what was stored of a conversation that the user has not accepted.
    mutating func count(_ operations: [AdmittedOperation], in conversation: ConversationID) {
        guard var held = laneBytes?[conversation] else { return }
        for entry in operations { held[entry.operation.header.lane, default: 0] += Self.laneBytes(of: entry.operation) }
        laneBytes?[conversation] = held
    }

    /// Forgets a conversation that the user has accepted, or of which nothing came.
    mutating func forget(_ conversation: ConversationID) { laneBytes?[conversation] = nil }

    /// Bytes of lanes.
    private struct Held {
        var all: [ConversationID: [Lane: Int]]

        func hasRoom(for more: Int, in lane: Lane, of conversation: ConversationID) -> Bool {
            let total = (all[conversation]?[lane] ?? 0) + more
            guard total > guaranteedLaneBytes else { return true }
            guard total <= maximumUnacceptedLaneBytes else { return false }
            return all.values.reduce(more) { $0 + $1.values.reduce(0, +) } <= maximumUnacceptedBytes
        }
    }

    /// What the lanes of a conversation take, and those of all others in which the user takes no part.
    ///
    /// - Complexity: O(*c*) in such conversations; the first time O(*n*) in what was decided there.
    private func held(in conversation: ConversationID, _ context: inout NodeContext) -> Held {
        if laneBytes == nil { context.recordParticipation() }
        let joined = context.familiarity.joined
        var all = (laneBytes ?? [:]).filter { !joined.contains($0.key) }
        let uncounted = laneBytes == nil ? Array(context.replicas.keys) : [conversation]
        for id in uncounted where all[id] == nil && !joined.contains(id) {
            all[id] = context.replicas[id].map(Self.laneBytes)
        }
        return Held(all: all)
    }

    private static func laneBytes(of replica: Replica) -> [Lane: Int] {
        [
            .membership: replica.log.membership.operations.reduce(0) { $0 + laneBytes(of: $1) },
            .content: replica.contentCount * Operation.minimumFootprint,
        ]
    }

    /// What an operation of a lane counts: what it takes in memory.
    static func laneBytes(of operation: Operation) -> Int {
        let header = operation.header
        return switch header.type {
        case .ratify: operation.footprint + nameWeight * header.bodyLength
        case .add, .invite, .join, .device: operation.footprint + recordWeight * header.bodyLength
        // Closed bodies have a share of their own.
        case let type where header.lane == .content && type.isClosed: operation.footprint - header.bodyLength
        default: operation.footprint
        }
    }
}
