import Conversations
import Membership
import OperationLog
import Replication
import Time

/// How much room conversations have here: little those that the user has not accepted, and what was decided in the
/// others as much as memory bears.
///
/// That is a choice of this replica alone, which it tells nobody. What has no room is not admitted: the replica is
/// behind, like one that was not connected.
struct BodyQuota {
    /// What lanes may take, as ``laneBytes(of:)`` counts it.
    struct Bounds {
        /// One lane.
        let lane: Int
        /// All lanes together. Where others take that, a lane of decisions has an equal share of it all the same.
        let all: Int
        /// One lane in any case, however much others take.
        let guaranteed: Int
        /// Whether they are about conversations in which the user takes part; else about the others.
        var isOfJoined = true
        /// Whether they are about what was decided alone.
        var isOfDecisions = true
    }

    /// Of conversations in which the user took no part: a key costs nothing, and those who write for the first time are
    /// not kept out.
    static let unaccepted = Bounds(
        lane: 4 << 20, all: 32 << 20, guaranteed: 128 << 10, isOfJoined: false, isOfDecisions: false)
    /// Of what was decided in them, where somebody brings it whom the user knows.
    static let ofFamiliar = Bounds(lane: 16 << 20, all: 32 << 20, guaranteed: 128 << 10, isOfJoined: false)
    /// The same where that is an admin there: of what they remove somebody for, they have as much.
    static let ofFamiliarAdmins = Bounds(lane: 64 << 20, all: 64 << 20, guaranteed: 128 << 10, isOfJoined: false)
    /// Of what was decided in the user's own conversations: it is in memory, where it takes up to 20 times as much.
    static let decided = Bounds(lane: 32 << 20, all: 64 << 20, guaranteed: 4 << 20)
    /// The same of what somebody brings who decided little there: who fills a lane does not silence the others.
    static let decidedLittle = Bounds(lane: 48 << 20, all: 96 << 20, guaranteed: 4 << 20)
    /// The same of what admins and the user's own devices bring, so that they can remove whoever used up the room.
    static let decidedByAdmins = Bounds(lane: 64 << 20, all: 128 << 20, guaranteed: 4 << 20)
    /// What one person decided in a conversation may take, where they bring it themselves; and what is little of it.
    static let (maximumDecidedBytes, littleDecidedBytes) = (16 << 20, 512 << 10)
    /// How many times its bytes a body takes in memory that names people, most of whom nothing else names; and one that
    /// brings their records.
    private static let (nameWeight, recordWeight) = (8, 16)
    /// The maximum number of conversations in which the user took no part. Beyond it, strangers cannot introduce
    /// further ones, but a few.
    static let maximumRequests = 256
    /// How many conversations the strangers of one host may introduce while this node runs, even when others have used
    /// up ``maximumRequests``; and how many there may be in all.
    static let (guaranteedRequests, maximumRequestsInAll) = (8, 1_024)
    /// How long to wait before bodies are counted anew once more: whoever deletes one text after the other must not
    /// make this node read all that it declined each time.
    private static let recountBackoff: Duration = .seconds(10)

    /// The conversations that strangers on each host have introduced.
    private var introduced: [String: Set<ConversationID>] = [:]
    /// The conversations whose bodies are to be counted anew.
    private(set) var uncounted: Set<ConversationID> = []
    /// When to count again at the earliest.
    private var nextRecount: Instant?
    /// The conversations with declined bodies that the user has accepted.
    private var accepted: Set<ConversationID> = []
    /// Bytes that lanes take; nil before they were counted.
    private var laneBytes: [ConversationID: LaneBytes]?

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

    /// Whether a peer may bring another conversation. Those of which nothing came yet do not count: strangers can
    /// announce any number of groups that do not exist, and must not keep out the ones that do. Nor do those that the
    /// user has erased.
    ///
    /// A key costs nothing, and each stranger may bring a group or write to the user. People whom the user knows may
    /// bring as many as they like.
    func mayIntroduce(_ conversation: ConversationID, _ peer: PeerHandle, in context: inout NodeContext) -> Bool {
        guard !context.familiarity.awaited.contains(conversation), let link = context.links[peer],
            let user = link.identity?.device.user, user != context.me
        else { return true }
        context.recordParticipation()
        let settled = Self.settled(in: context)
        let requests = context.replicas.values.count { $0.operationCount > 0 && !settled.contains($0.id) }
        guard requests >= Self.maximumRequests, !context.isFamiliar(user) else { return true }
        let ofHost = introduced[link.source.network]?.subtracting(settled) ?? []
        return requests < Self.maximumRequestsInAll
            && (ofHost.count < Self.guaranteedRequests || ofHost.contains(conversation))
    }

    /// Notes of which host a stranger is who brings the beginning of a conversation.
    private mutating func note(_ conversation: ConversationID, from peer: PeerHandle, _ context: NodeContext) {
        guard let link = context.links[peer], let user = link.identity?.device.user, !context.isFamiliar(user),
            introduced[link.source.network] != nil || introduced.count < Self.maximumRequestsInAll
        else { return }
        var ofHost = introduced[link.source.network]?.subtracting(Self.settled(in: context)) ?? []
        if ofHost.count < Self.guaranteedRequests { ofHost.insert(conversation) }
        introduced[link.source.network] = ofHost
    }

    /// The conversations that wait for no answer of the user.
    private static func settled(in context: NodeContext) -> Set<ConversationID> {
        context.familiarity.joined.union(context.familiarity.erased)
    }

    /// Whether a batch that a peer sent has room: little in a conversation in which the user takes no part.
    ///
    /// - Complexity: O(*c*) in conversations where a lane holds more than it may in any case; the first time O(*n*) in
    ///   all that was decided.
    mutating func hasRoom(
        for batch: Batch, in conversation: ConversationID, from peer: PeerHandle, _ context: inout NodeContext
    ) -> Bool {
        guard let replica = context.replicas[conversation] else { return true }
        let takesPart = context.familiarity.joined.contains(conversation)
        // What is said in the user's own conversations is on disk.
        if takesPart, batch.lane == .content { return true }
        // Many may have been announced before anything came of them.
        if !takesPart, replica.operationCount == 0 {
            guard mayIntroduce(conversation, peer, in: &context) else { return false }
            note(conversation, from: peer, context)
        }
        count(conversation, &context)
        let more = batch.operations.reduce(0) { $0 + Self.laneBytes(of: $1) }
        let sender = context.links[peer]?.identity?.device.user
        let role = sender.flatMap(replica.group.role) ?? .member
        let isAdmin = role >= .admin || sender != nil && sender == replica.group.actingAdmin
        func hasRoom(_ bounds: Bounds) -> Bool {
            self.hasRoom(for: more, in: batch.lane, of: conversation, bounds, context)
        }
        if !takesPart, sender != context.me {
            guard !hasRoom(Self.unaccepted) else { return true }
            guard sender.map(context.isFamiliar) == true || !context.isUnaccepted(replica) else { return false }
            return batch.lane == .content || hasRoom(isAdmin ? Self.ofFamiliarAdmins : Self.ofFamiliar)
        }
        guard batch.lane == .membership else { return true }
        guard let sender, sender != context.me, !isAdmin else { return hasRoom(Self.decidedByAdmins) }
        // Others must be able to bring what they took: what follows it waits for it.
        guard batch.operations.allSatisfy({ $0.author.user == sender }) else { return hasRoom(Self.decided) }
        let theirs = (laneBytes?[conversation]?.decided[sender] ?? 0) + more
        guard theirs > Self.littleDecidedBytes else { return hasRoom(Self.decidedLittle) }
        return theirs <= Self.maximumDecidedBytes && hasRoom(Self.decided)
    }

    /// Why a lane of a conversation may have no room for what somebody brings; nil if it has.
    func lackOfRoom(in conversation: ConversationID, _ context: inout NodeContext) -> LackOfRoom? {
        guard let replica = context.replicas[conversation] else { return nil }
        var counted = self
        counted.count(conversation, &context)
        func isFull(_ lane: Lane, _ bounds: Bounds) -> Bool {
            !counted.hasRoom(for: 2 * Limits.targetBatchBytes, in: lane, of: conversation, bounds, context)
        }
        if context.isUnaccepted(replica) {
            return Lane.allCases.contains { isFull($0, Self.unaccepted) } ? .unaccepted : nil
        }
        guard context.familiarity.joined.contains(conversation) else {
            return isFull(.membership, Self.ofFamiliar) ? .unaccepted : nil
        }
        return isFull(.membership, Self.decided) ? .decisions : nil
    }

    /// Counts what was stored of a conversation.
    mutating func count(_ operations: [AdmittedOperation], in conversation: ConversationID) {
        for entry in operations { laneBytes?[conversation]?.add(entry.operation) }
    }

    /// Forgets a conversation of which nothing came.
    mutating func forget(_ conversation: ConversationID) { laneBytes?[conversation] = nil }

    /// Whether there is room for some bytes of a lane.
    private func hasRoom(
        for more: Int, in lane: Lane, of conversation: ConversationID, _ bounds: Bounds, _ context: NodeContext
    ) -> Bool {
        let total = (laneBytes?[conversation]?[lane] ?? 0) + more
        guard total > bounds.guaranteed else { return true }
        guard total <= bounds.lane else { return false }
        let counted: [Lane] = bounds.isOfDecisions ? [.membership] : Lane.allCases
        var (all, large) = (more, 1)
        for (id, held) in laneBytes ?? [:] where context.familiarity.joined.contains(id) == bounds.isOfJoined {
            let bytes = counted.reduce(0) { $0 + held[$1] }
            all += bytes
            if id != conversation, bytes > bounds.guaranteed { large += 1 }
        }
        // Whoever fills their own groups leaves the others an equal share. Of strangers there may be any number.
        return all <= bounds.all || bounds.isOfDecisions && total <= bounds.all / large
    }

    /// Counts what the lanes of a conversation take, and the first time those of all.
    private mutating func count(_ conversation: ConversationID, _ context: inout NodeContext) {
        if laneBytes == nil { context.recordParticipation() }
        let uncounted = laneBytes == nil ? Array(context.replicas.keys) : [conversation]
        for id in uncounted where laneBytes?[id] == nil {
            laneBytes = laneBytes ?? [:]
            laneBytes?[id] = context.replicas[id].map(LaneBytes.init)
        }
    }

    /// Bytes that the lanes of a conversation take.
    private struct LaneBytes {
        /// What each person decided.
        private(set) var decided: [UserID: Int] = [:]
        private var lanes: [Lane: Int]

        init(_ replica: Replica) {
            lanes = [.content: replica.contentCount * Operation.minimumFootprint]
            for operation in replica.log.membership.operations { add(operation) }
        }

        subscript(lane: Lane) -> Int { lanes[lane] ?? 0 }

        mutating func add(_ operation: Operation) {
            let bytes = BodyQuota.laneBytes(of: operation)
            lanes[operation.header.lane, default: 0] += bytes
            if operation.header.lane == .membership { decided[operation.author.user, default: 0] += bytes }
        }
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
