import Conversations
import OperationLog
import Replication
import Storage
import Time

/// Erases what need not be here any more: what somebody deleted for everybody, what is older than a conversation is
/// kept here, and what is in one that the user erased; then the keys that no body needs.
///
/// How long a conversation is kept is a matter of this replica alone. Headers stay: chains and the order of messages
/// need them.
struct Retention {
    /// What happens.
    enum Event {
        /// Time passed.
        case tick
        /// The user wants a conversation to be kept for so long from now on; nil forever.
        case changed(ConversationID, RetentionPeriod?)
        /// Something came in a conversation.
        case committed(ConversationID)
    }

    /// How often expired bodies are looked for.
    private static let interval: Duration = .seconds(3_600)
    /// How long after a start the first look is, where something is kept for a time only.
    private static let delay: Duration = .seconds(1)
    /// How long it is elsewhere.
    private static let longDelay: Duration = .seconds(600)
    /// How long the text of somebody else that was deleted is still here, hidden, in milliseconds: an admin who deletes
    /// everything is removed by then, and what they did is void.
    private static let gracePeriod: Int64 = 24 * 3_600 * 1_000
    /// How long to wait between two parts of one sweep, for the sake of live messages.
    private static let pause: Duration = .milliseconds(20)
    /// Bodies erased in one transaction.
    private static let maximumPerTransaction = 1_024

    /// For how long conversations are kept here, where not forever.
    private(set) var periods: [ConversationID: RetentionPeriod] = [:]
    /// When to look for what can be erased.
    private(set) var nextDeadline: Instant?
    private var requests: [MachineRequest] = []

    /// Looks up what is kept for how long.
    mutating func restore(in context: inout NodeContext) throws(StoreError) {
        for (conversation, period) in try context.storage.retentions() { note(period, of: conversation, &context) }
        nextDeadline = context.now + (periods.isEmpty ? Self.longDelay : Self.delay)
    }

    private mutating func note(
        _ period: RetentionPeriod?, of conversation: ConversationID, _ context: inout NodeContext
    ) {
        periods[conversation] = period
        if period == .nothing {
            context.familiarity.erased.insert(conversation)
        } else {
            context.familiarity.erased.remove(conversation)
        }
    }

    /// Takes in what happened, and returns what is to be done about it, in order.
    mutating func handle(_ event: Event, in context: inout NodeContext) -> [MachineRequest] {
        switch event {
        case .tick: sweep(in: &context)
        case .changed(let conversation, let period):
            note(period, of: conversation, &context)
            nextDeadline = context.now
            requests += [.effect(.show(.conversation(conversation))), .wake]
        case .committed(let conversation):
            guard context.familiarity.erased.contains(conversation) else { break }
            do throws(StoreError) {
                try keepAgain(conversation, &context)
            } catch {
                requests.append(.storageFailed(error))
            }
            // What came late to one that was erased goes at once.
            nextDeadline = context.now
            requests.append(.wake)
        }
        defer { requests = [] }
        return requests
    }

    /// Erases a part of what has expired, if it is time to look.
    private mutating func sweep(in context: inout NodeContext) {
        guard let next = nextDeadline, next <= context.now else { return }
        nextDeadline = context.now + Self.interval
        for (conversation, period) in periods.sorted(by: { $0.key < $1.key }) {
            do throws(StoreError) {
                try keepAgain(conversation, &context)
                guard try sweep(conversation, keeping: period, &context) else {
                    nextDeadline = context.now + Self.pause
                    return
                }
            } catch {
                requests.append(.effect(.note(.notErased(error))))
            }
        }
        // Last, so that it is done once and not with every part of what has expired.
        for conversation in context.replicas.keys.sorted() {
            do throws(StoreError) {
                try eraseDeleted(in: conversation, &context)
                try eraseDeletedFiles(in: conversation, &context)
            } catch {
                requests.append(.effect(.note(.notErased(error))))
            }
        }
    }

    /// Keeps what is written from now on in a conversation that was erased and that the user is in again.
    private mutating func keepAgain(
        _ conversation: ConversationID, _ context: inout NodeContext
    ) throws(StoreError) {
        guard context.familiarity.erased.contains(conversation),
            context.replicas[conversation]?.group.isMember(context.me) == true
        else { return }
        try context.storage.setRetention(nil, of: conversation)
        note(nil, of: conversation, &context)
        requests.append(.keysWantedAgain(of: conversation))
    }

    /// Erases what was deleted: own texts of who deleted them, and others' after a while.
    private mutating func eraseDeleted(
        in conversation: ConversationID, _ context: inout NodeContext
    ) throws(StoreError) {
        let storage = context.storage
        let deletions = try storage.deletions(of: .message, in: conversation)
        guard !deletions.isEmpty else { return }
        var messages: [Operation] = []
        for id in deletions.keys.sorted() {
            if let message = try storage.operation(id, of: conversation) { messages.append(message) }
        }
        let opened = try context.open(messages, in: conversation)
        let erased = messages.filter { message in
            guard case .deleted(let deleter)? = opened[message.id]?.state.content, let since = deletions[message.id]
            else { return false }
            return Self.isOver(since, deletedBy: deleter, of: message.author.user, context)
        }
        guard !erased.isEmpty else { return }
        // What a text was changed to and which files it had goes with it; what deletes it stays, or it would be back.
        let edits = try storage.annotations(of: erased.map(\.id), in: conversation, fromEachEnd: nil).values.joined()
            .map(\.operation).filter { [.edit, .file].contains($0.header.type) }
        try erase((erased + edits).map(\.id), in: conversation, context)
    }

    /// Erases what attached files that were deleted one by one, likewise: then nothing names those any more, and they
    /// go from the disk.
    private mutating func eraseDeletedFiles(
        in conversation: ConversationID, _ context: inout NodeContext
    ) throws(StoreError) {
        let (storage, reader) = (context.storage, context.me)
        let deletions = try storage.deletions(of: .file, in: conversation)
        guard !deletions.isEmpty else { return }
        var carriers: [OperationID: Operation] = [:]
        for id in deletions.keys.sorted() {
            guard let file = try storage.operation(id, of: conversation),
                let body = context.replicas[conversation]?.annotationBody(file, for: reader, in: storage)
            else { continue }
            carriers[body.target] = try storage.operation(body.target, of: conversation)
        }
        let opened = try context.open(carriers.values.sorted { $0.id < $1.id }, in: conversation)
        let erased = carriers.flatMap { id, message in
            // A text that names them would be shown as it is, once nothing else says what they were called.
            guard let state = opened[id]?.state, !state.namesDeletedFiles else { return [OperationID]() }
            return state.deletedFiles.filter { deleted in
                deletions[deleted.file.operation].map { since in
                    Self.isOver(since, deletedBy: deleted.user, of: message.author.user, context)
                } ?? false
            }.map(\.file.operation)
        }
        guard !erased.isEmpty else { return }
        try erase(erased, in: conversation, context)
    }

    /// Whether what somebody deleted of somebody need not be here any more.
    private static func isOver(
        _ since: Timestamp, deletedBy deleter: UserID, of author: UserID, _ context: NodeContext
    ) -> Bool {
        deleter == author || context.moment.wall.milliseconds - since.milliseconds >= gracePeriod
    }

    private mutating func erase(
        _ operations: [OperationID], in conversation: ConversationID, _ context: NodeContext
    ) throws(StoreError) {
        try context.storage.erase(operations.sorted(), in: conversation)
        requests.append(.erased(operations.sorted(), in: conversation))
    }

    /// - Returns: whether nothing is left to erase.
    private mutating func sweep(
        _ conversation: ConversationID, keeping period: RetentionPeriod, _ context: inout NodeContext
    ) throws(StoreError) -> Bool {
        guard periods[conversation] == period else { return true }
        let time = Timestamp(clamping: context.moment.wall.milliseconds - period.milliseconds)
        let expired = try context.storage.expire(
            before: time, at: context.moment.wall, in: conversation, limit: Self.maximumPerTransaction)
        if !expired.isEmpty {
            requests += [.erased(expired, in: conversation), .effect(.show(.conversation(conversation)))]
        }
        guard expired.count < Self.maximumPerTransaction else { return false }
        try eraseKeys(of: conversation, before: period == .nothing ? nil : time, &context)
        return true
    }

    /// Erases the keys of epochs in whose place another came as long ago, which no body here or wanted names, and which
    /// are not for the next message: what is still written under them, far away, is old by then.
    ///
    /// - Parameter time: nil for all of them.
    private mutating func eraseKeys(
        of conversation: ConversationID, before time: Timestamp?, _ context: inout NodeContext
    ) throws(StoreError) {
        guard var replica = context.replicas[conversation] else { return }
        let current = replica.view(at: replica.log.membership.heads)?.id
        let begins = replica.epochs.all.values.map(\.header.time).sorted()
        let candidates = replica.epochs.all.values.filter { epoch in
            guard case .held = epoch.key else { return false }
            guard let time else { return true }
            let successor = begins.insertionIndex { $0 <= epoch.header.time }
            return epoch.view.id != current && successor < begins.count && begins[successor] < time
        }
        guard !candidates.isEmpty else { return }
        let inUse = try context.storage.epochsInUse(in: conversation)
        let erased = candidates.map(\.id).filter { !inUse.contains($0) }.sorted()
        guard !erased.isEmpty else { return }
        try context.storage.eraseEpochKeys(erased, in: conversation)
        requests += [
            .keysErased(erased, in: conversation), .effect(.note(.keysErased(conversation, count: erased.count))),
        ]
    }
}

extension RetentionPeriod {
    /// How old a body becomes, in milliseconds. Of what is not kept at all, what came this very moment goes, too.
    fileprivate var milliseconds: Int64 {
        switch self {
        case .days(let days): Int64(days) * 24 * 3_600 * 1_000
        case .nothing: -1
        }
    }
}
