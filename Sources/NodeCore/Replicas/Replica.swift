import Conversations
import Cryptography
import OperationLog
import Replication
import Storage
import Time

/// One conversation as this node holds it: the log, and what follows from it.
///
/// A value: commands and received batches change a copy, the copy's operations are committed to disk, then the copy is
/// kept. To look at it costs one reference: what it holds is copied when it is changed while somebody else holds it,
/// too.
public struct Replica {
    private struct Parts {
        var log: ConversationLog
        var group: Group
        var contentCount = 0
        var epochs = Epochs()
        var wanted = WantedBodies()
        var quotas = BodyQuotas()
        var storedKeys: Set<OperationID> = []
        var pinnedBranches = PinnedBranches()
        var revokedContent: [DeviceID: RevokedContent] = [:]
        /// When the heads of the content lane came.
        var arrivals: [OperationID: Int64] = [:]
        /// When the last of them was said.
        var lastSaid: Int64 = 0
        /// The last change of the conversation itself, and when it came.
        var lastChange: (operation: OperationID, arrival: Int64?)?
    }

    @CopyOnWrite private var parts: Parts

    /// Both lanes.
    public internal(set) var log: ConversationLog {
        _read { yield parts.log }
        _modify { yield &parts.log }
    }

    /// Who is in the conversation and what was decided there.
    public internal(set) var group: Group {
        _read { yield parts.group }
        _modify { yield &parts.group }
    }

    /// Content operations held.
    public internal(set) var contentCount: Int {
        get { parts.contentCount }
        set { parts.contentCount = newValue }
    }

    /// The keys under which its messages are closed.
    public internal(set) var epochs: Epochs {
        _read { yield parts.epochs }
        _modify { yield &parts.epochs }
    }

    /// The bodies that are for this device and have not come.
    public internal(set) var wanted: WantedBodies {
        _read { yield parts.wanted }
        _modify { yield &parts.wanted }
    }

    /// How much room the bodies of each author take, and which have none.
    public internal(set) var quotas: BodyQuotas {
        _read { yield parts.quotas }
        _modify { yield &parts.quotas }
    }

    /// The epochs whose keys are in the storage.
    var storedKeys: Set<OperationID> {
        _read { yield parts.storedKeys }
        _modify { yield &parts.storedKeys }
    }

    /// What is known of the branches that somebody pinned.
    var pinnedBranches: PinnedBranches {
        _read { yield parts.pinnedBranches }
        _modify { yield &parts.pinnedBranches }
    }

    /// What counts of the content of devices that some operation revokes, as far as was asked.
    var revokedContent: [DeviceID: RevokedContent] {
        _read { yield parts.revokedContent }
        _modify { yield &parts.revokedContent }
    }

    /// The conversation.
    public var id: ConversationID { log.conversation }

    /// Begins an empty replica.
    package init(conversation: ConversationID, root: ConversationRoot) {
        parts = Parts(
            log: ConversationLog(
                conversation: conversation, root: root, introductions: MembershipBody.introductions(of:)),
            group: Group(conversation: conversation, root: root))
    }

    /// When something last happened, in milliseconds since 1970; 0 for nothing yet.
    ///
    /// This is the hybrid time of the latest operation, or its time of arrival if that is earlier. Otherwise a device
    /// whose clock is hours ahead would keep a conversation on top of everybody's list.
    public var lastActivity: Int64 {
        let changed = group.systemMessages.last.map { min($0.hybridTime, parts.lastChange?.arrival ?? $0.hybridTime) }
        return max(parts.lastSaid, changed ?? 0)
    }

    /// When a head of the content lane came; nil for other operations, of which the storage knows.
    public func arrival(of operation: OperationID) -> Timestamp? {
        parts.arrivals[operation].map(Timestamp.init(clamping:))
    }

    /// Notes when the operations came that ``lastActivity`` depends on.
    ///
    /// - Parameter news: operations that came just now.
    /// - Complexity: O(*k*) in them; O(*h*) in the heads of the content lane where all of them are earlier than what
    ///   they follow.
    mutating func noteArrivals(
        of news: [AdmittedOperation] = [], at time: Timestamp, in storage: any ReplicaStorage
    ) throws(StoreError) {
        var newest: Int64 = 0
        var isLatestUnsure = false
        for entry in news where entry.operation.header.lane == .content {
            for parent in entry.operation.header.parents where parts.arrivals.removeValue(forKey: parent) != nil {
                isLatestUnsure = true
            }
            guard log.isContentHead(entry.operation.id) else { continue }
            parts.arrivals[entry.operation.id] = time.milliseconds
            newest = max(newest, min(entry.hybridTime, time.milliseconds))
        }
        // Hybrid time rises along every edge, and what comes later was received later: so a head is the latest.
        if newest >= parts.lastSaid { (parts.lastSaid, isLatestUnsure) = (newest, false) }
        if parts.arrivals.count < log.contentHeads.count {
            let unknown = log.contentHeads.map(\.id).filter { parts.arrivals[$0] == nil }
            parts.arrivals.merge(try storage.arrivals(of: unknown, in: id).mapValues(\.milliseconds)) { $1 }
            isLatestUnsure = true
        }
        if isLatestUnsure {
            let said = log.contentHeads.map { min($0.hybridTime, parts.arrivals[$0.id] ?? $0.hybridTime) }
            parts.lastSaid = said.max() ?? 0
        }
        guard let change = group.systemMessages.last?.operation, parts.lastChange?.operation != change else { return }
        let isNew = news.contains { $0.operation.id == change }
        let arrival = isNew ? time : try storage.arrivals(of: [change], in: id)[change]
        parts.lastChange = (change, arrival?.milliseconds)
    }

    /// The people who wrote here and are not in the conversation: of what they wrote not all counts.
    ///
    /// - Complexity: O(*n*) in the people who are not in it.
    public var outsideAuthors: Set<UserID> { group.outsiders.filter(hasWritten) }

    /// The people who wrote here and are in the conversation again: what they wrote before they heard that they were
    /// taken out may not count.
    public var returnedAuthors: Set<UserID> { group.returned.filter(hasWritten) }

    private func hasWritten(_ user: UserID) -> Bool {
        group.devices(of: user).contains { log.contentFrontier.tips[$0] != nil }
    }

    /// Whether the conversation is between two people and has no roles.
    public var isDirect: Bool {
        switch log.root {
        case .group: false
        case .direct: true
        }
    }

    /// Whether it is a direct conversation in which nothing was written yet.
    var isOnlyBegun: Bool { isDirect && operationCount == 0 }

    /// Operations held in both lanes.
    public var operationCount: Int { log.membership.operations.count + contentCount }

    /// A digest of both lanes' frontiers: equal digests, equal replicas.
    public var digest: String {
        Digest.hash("moot/1/replica", log.membershipFrontier.digest.bytes, log.contentFrontier.digest.bytes).hexadecimal
    }
}

extension Replica {
    /// Takes in a batch as a node does, but keeps it in memory only.
    package mutating func admit(_ batch: Batch, using index: some OperationIndex) throws -> Admission {
        var judge = group
        let lane = log.membership
        let admission = try log.admit(batch, using: index) { judge.isMember($0, at: $1, in: lane) }
        // It differs in what it remembers of pasts only.
        group = judge
        guard case .admitted(let admitted) = admission else { return admission }
        switch batch.lane {
        case .membership: group.insert(admitted.map(\.operation))
        case .content:
            contentCount += admitted.count
            for operation in admitted.map(\.operation) where !operation.header.type.isClosed && operation.body != nil {
                guard let view = view(at: operation.header.membershipHeads) else { continue }
                take(operation, under: view, for: nil, kept: nil, opening: nil)
            }
        }
        return admission
    }

    /// The operations that a former member still gets if they lack them: those that removed them, everything before
    /// those, and those that make void what the former member considers effective.
    ///
    /// - Complexity: O(*n*) in the lane; each operation is looked at once, however one decides about the other.
    func removalProof(to user: UserID, beyond known: Replicator.Known) -> [OperationID] {
        let lane = log.membership
        let deciders = group.decidingOperations
        var held = MembershipPast()
        // Whoever holds an operation holds its past.
        for chain in known.chains.values { lane.extend(&held, through: chain.ends) }
        // What they hold and what they are told, and how far it was looked for what makes it void.
        var all = held
        var settled = MembershipPast()
        lane.extend(&all, through: group.expulsions(of: user))
        while case let news = all.elements(beyond: settled), !news.isEmpty {
            settled = all
            lane.extend(&all, through: news.compactMap { deciders[lane.operations[$0].id] })
        }
        return all.elements(beyond: held).lazy.map { lane.operations[$0] }.filter { operation in
            switch known.chain(of: operation.author.id) {
            case .through(let number): operation.header.sequenceNumber > number
            case .branches: true
            }
        }
        .map(\.id)
    }
}

extension Replica {
    /// Who may read what is written under some membership heads; nil if one of them is not here.
    package mutating func view(at heads: [OperationID]) -> View? {
        group.cachedView(at: heads) ?? group.view(at: heads, in: log.membership)
    }

    /// Notes that a device wrote a message to a view under an epoch: it holds the key, and the epoch's body where that
    /// is wanted here, or it lies.
    mutating func note(_ writer: Device, writingUnder epoch: OperationID, to view: View) {
        epochs.note(writer: writer.id, under: epoch, to: view.id)
        if !wanted.isEmpty { wanted.claim(epoch, by: writer) }
    }

    /// Takes in an epoch, a complaint or a wrap, whose body is here.
    ///
    /// - Parameters:
    ///   - view: the view at its membership heads.
    ///   - device: this one; nil for none, which holds no keys.
    ///   - kept: what this device has kept of the epoch's key, if it made it or opened it before.
    mutating func take(
        _ operation: Operation, under view: View, for device: Device?, kept: Epochs.KeptKey?,
        opening wrapKeys: WrapKeys?
    ) {
        switch operation.header.type {
        case .epoch:
            epochs.insert(operation, view: view, for: device, kept: kept) { wrap, reader in
                wrapKeys?.open(wrap, sealedTo: reader.wrapKey)
            }
        case .complaint:
            guard let epoch = operation.header.epoch else { return }
            epochs.insert(complaintOf: operation.author.id, about: epoch)
        case .wrap:
            guard let epoch = operation.header.epoch, let body = try? WrapBody(decoding: operation.body ?? []) else {
                return
            }
            epochs.insert(wrap: body, by: operation.author.id, about: epoch, under: view, for: device?.id) {
                wrap, wrapKey in
                wrapKeys?.open(wrap, sealedTo: wrapKey)
            }
        default:
            break
        }
    }
}
