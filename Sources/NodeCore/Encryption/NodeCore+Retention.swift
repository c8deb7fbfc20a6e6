import Conversations
import OperationLog
import Replication

/// Erases what need not be here any more: what somebody deleted for everybody, and what is older than a conversation is kept here; then
/// the keys that no body needs.
///
/// How long a conversation is kept is a matter of this replica alone. Headers stay: chains and the order of messages need them.
extension NodeCore {
    /// For how many days a conversation can be kept, where not forever.
    public static let retentionRange = 1...3_650

    /// How often expired bodies are looked for.
    private static let sweepInterval: Duration = .seconds(3_600)
    /// How long after a start the first look is, where something is kept for a time only.
    private static let sweepDelay: Duration = .seconds(1)
    /// How long it is elsewhere.
    private static let longSweepDelay: Duration = .seconds(600)
    /// How long the text of somebody else that was deleted is still here, hidden, in milliseconds: an admin who deletes everything is
    /// removed by then, and what they did is void.
    private static let reprieve: Int64 = 24 * 3_600 * 1_000
    /// How long to rest between two parts of one sweep, for the sake of live messages.
    private static let sweepRest: Duration = .milliseconds(20)
    /// Bodies erased in one transaction.
    private static let sweepPart = 1_024

    /// Keeps a conversation for so many days from now on, or forever. What is older already goes within seconds.
    ///
    /// - Throws: `conversation_not_found`, `invalid_request` outside ``retentionRange``, `disk_full`, `storage_failed`.
    public mutating func keep(
        _ conversation: ConversationID, days: Int?, at moment: Moment
    ) throws(NodeError) {
        self.moment = moment
        _ = try replica(conversation)
        if let days, !Self.retentionRange.contains(days) {
            throw NodeError(
                .invalidRequest,
                "A conversation is kept for \(Self.retentionRange.lowerBound) to \(Self.retentionRange.upperBound) days, or forever"
            )
        }
        do throws(StoreError) {
            try storage.setRetention(days, of: conversation)
        } catch {
            throw NodeError(error)
        }
        retentions[conversation] = days
        nextSweep = now
        show(.conversation(conversation))
        planWake()
    }

    /// Looks up what is kept for how long.
    mutating func restoreRetentions() throws(StoreError) {
        retentions = try storage.retentions()
        nextSweep = now + (retentions.isEmpty ? Self.longSweepDelay : Self.sweepDelay)
    }

    /// Erases a part of what has expired, if it is time to look.
    mutating func sweep() {
        guard let next = nextSweep, next <= now else { return }
        nextSweep = now + Self.sweepInterval
        for (conversation, days) in retentions.sorted(by: { $0.key < $1.key }) {
            let age = Int64(days) * 24 * 3_600 * 1_000
            do throws(StoreError) {
                guard try sweep(conversation, before: Timestamp(clamping: moment.wall.milliseconds - age)) else {
                    nextSweep = now + Self.sweepRest
                    return
                }
            } catch {
                note(.notErased(error))
            }
        }
        // Last, so that it is done once and not with every part of what has expired.
        for conversation in replicas.keys.sorted() {
            do throws(StoreError) {
                try eraseDeleted(in: conversation)
            } catch {
                note(.notErased(error))
            }
        }
    }

    /// Erases what was deleted: own texts of who deleted them, and others' after a while.
    private mutating func eraseDeleted(in conversation: ConversationID) throws(StoreError) {
        let deletions = try storage.deletions(in: conversation)
        guard !deletions.isEmpty else { return }
        var messages: [Operation] = []
        for id in deletions.keys.sorted() {
            if let message = try storage.operation(id, of: conversation) { messages.append(message) }
        }
        let opened = try open(messages, in: conversation)
        let erased = messages.filter { message in
            guard case .deleted(let deleter)? = opened[message.id]?.state.content, let since = deletions[message.id]
            else { return false }
            return deleter == message.author.user || moment.wall.milliseconds - since.milliseconds >= Self.reprieve
        }
        guard !erased.isEmpty else { return }
        // What a text was changed to and which files it had goes with it; what deletes it stays, or it would be back.
        let edits = try storage.annotations(of: erased.map(\.id), in: conversation).values.joined()
            .map(\.operation).filter { [.edit, .file].contains($0.header.type) }
        let ids = (erased + edits).map(\.id).sorted()
        try storage.erase(ids, in: conversation)
        replicas[conversation]?.wanted.subtract(ids)
        makeRoom(after: Set(ids), in: conversation)
        tellFiles(.erased(Array(ids), in: conversation))
    }

    /// - Returns: whether nothing is left to erase.
    private mutating func sweep(_ conversation: ConversationID, before time: Timestamp) throws(StoreError) -> Bool {
        let expired = try storage.expire(
            before: time, at: moment.wall, in: conversation, limit: Self.sweepPart)
        if !expired.isEmpty {
            replicas[conversation]?.wanted.subtract(expired)
            makeRoom(after: Set(expired), in: conversation)
            tellFiles(.erased(Array(expired), in: conversation))
            show(.conversation(conversation))
        }
        guard expired.count < Self.sweepPart else { return false }
        try eraseKeys(of: conversation, before: time)
        return true
    }

    /// Erases the keys of epochs in whose place another came as long ago, which no body here or wanted names, and which are not for the next
    /// message: what is still written under them, far away, is old by then.
    private mutating func eraseKeys(of conversation: ConversationID, before time: Timestamp) throws(StoreError) {
        guard var replica = replicas[conversation] else { return }
        let current = replica.view(at: replica.log.membership.heads)?.id
        let begins = replica.epochs.all.values.map(\.header.time).sorted()
        let candidates = replica.epochs.all.values.filter { epoch in
            guard case .held = epoch.key else { return false }
            let successor = begins.sortedPlace { $0 <= epoch.header.time }
            return epoch.view.id != current && successor < begins.count && begins[successor] < time
        }
        guard !candidates.isEmpty else { return }
        let inUse = try storage.epochsInUse(in: conversation)
        let erased = candidates.map(\.id).filter { !inUse.contains($0) }.sorted()
        guard !erased.isEmpty else { return }
        try storage.eraseEpochKeys(erased, in: conversation)
        replica.epochs.erase(erased)
        replicas[conversation] = replica
        note(.keysErased(conversation, count: erased.count))
    }
}
