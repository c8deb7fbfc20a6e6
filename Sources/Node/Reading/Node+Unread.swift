import Conversations
import LocalAPIModel
import NodeCore
import OperationLog
import SQLiteStore
import Storage

/// Counts what the user has not read: messages of others whom they hear, as far as they were not deleted.
extension Node {
    /// Of how many people who are not in a conversation it is found out which unread messages count: of further people
    /// all do.
    private static let maximumOutsiders = 4_096
    /// At how many unread messages it is looked of which not all count: of further ones by people who are not in the
    /// conversation none counts, and by those who are in it again all do.
    private static let maximumDoubtful = 1_000

    /// Messages of others that the user has not read, in all conversations.
    ///
    /// - Throws: `storage_failed`.
    public func unreadCount() throws(NodeError) -> Int {
        do throws(StoreError) {
            return try unreadCounts()
                .filter { replicas[$0.key].map(core.awaitsConsent) != true }.values.reduce(0, +)
        } catch {
            throw NodeError(error)
        }
    }

    /// The same of those that are not archived.
    func countUnread() throws(StoreError) -> Int {
        let counts = try unreadCounts()
        return replicas.values.filter { !core.isArchived($0) && !core.awaitsConsent($0) && !core.isErased($0) }.map {
            counts[$0.id] ?? 0
        }
        .reduce(0, +)
    }

    /// How many messages are unread, by conversation; no conversation where none is.
    private func unreadCounts() throws(StoreError) -> [ConversationID: Int] {
        var counts: [ConversationID: Int] = [:]
        let blocked = core.blocked
        let deleting = try store.conversationsWithDeletions()
        for (conversation, count) in try store.unreadCounts(for: me, without: blocked) {
            let isSure = !deleting.contains(conversation) && !hasDoubtful(conversation)
            counts[conversation] = isSure ? count : try unreadCount(in: conversation)
        }
        return counts
    }

    /// What the list shows of every conversation.
    func overviews() throws(StoreError) -> [ConversationID: ConversationOverview] {
        // Taken out of the node once: each look at it there copies all its parts.
        let blocked = core.blocked
        var overviews = try store.overviews(for: me, without: blocked)
        // A question about each of a thousand would take longer than all the rest.
        let doubtful = overviews.filter { $0.value.unread > 0 && hasDoubtful($0.key) }.keys
        for conversation in try store.conversationsWithDeletions().union(doubtful) {
            guard let overview = overviews[conversation], overview.unread > 0 else { continue }
            overviews[conversation] = overview.with(unread: try unreadCount(in: conversation))
        }
        return overviews
    }

    /// What the list shows of one conversation.
    func overview(of conversation: ConversationID) throws(StoreError) -> ConversationOverview {
        ConversationOverview(
            last: try store.messages(in: conversation, limit: 1).last, unread: try unreadCount(in: conversation))
    }

    /// How many messages are unread in a conversation.
    ///
    /// - Complexity: O(*c* + *n*) for *c* chains and *n* unread operations; where the conversation has changed, also
    ///   what judging those costs of which not all may count.
    func unreadCount(in conversation: ConversationID) throws(StoreError) -> Int {
        let outsiders = outsiders(of: conversation)
        let blocked = core.blocked
        let ignored = blocked.union(outsiders)
        let basis = CountedUnread.Basis(
            stored: try store.unreadCount(in: conversation, for: me, without: ignored),
            operations: replicas[conversation]?.operationCount ?? 0, marks: try store.readMarks(in: conversation),
            blocked: blocked, outsiders: outsiders)
        if let known = told.counted[conversation], known.basis == basis { return known.count }
        let others = try withoutDeleted(basis.stored, in: conversation, blocked: ignored)
        guard let replica = replicas[conversation] else { return others }
        let counting = try doubtful(of: outsiders.filter(replica.group.hasLetIn), in: replica)
        let cutOff = try doubtful(of: replica.returnedAuthors, in: replica)
        let count = max(0, others + counting.count { $0.cutOff == nil } - cutOff.count { $0.cutOff != nil })
        told.counted[conversation] = CountedUnread(basis: basis, count: count)
        return count
    }

    /// The people who wrote in a conversation and are not in it: of what they wrote not all counts.
    private func outsiders(of conversation: ConversationID) -> Set<UserID> {
        let all = replicas[conversation]?.outsideAuthors ?? []
        return all.count > Self.maximumOutsiders ? Set(all.sorted().prefix(Self.maximumOutsiders)) : all
    }

    /// Whether not all may count that somebody wrote in a conversation.
    private func hasDoubtful(_ conversation: ConversationID) -> Bool {
        !outsiders(of: conversation).isEmpty || replicas[conversation]?.returnedAuthors.isEmpty == false
    }

    /// The unread messages of people of whose messages not all count, as far as they are looked at and were not
    /// deleted.
    private func doubtful(of authors: Set<UserID>, in replica: Replica) throws(StoreError) -> [OpenedMessage] {
        let authors = authors.subtracting(core.blocked)
        guard !authors.isEmpty else { return [] }
        let others = Set(replica.group.members.map(\.user)).union(outsiders(of: replica.id)).union(core.blocked)
        let found = try store.unreadMessages(
            in: replica.id, for: me, without: others.subtracting(authors), limit: Self.maximumDoubtful)
        return try core.open(found.map(\.operation), in: replica.id).values.filter { !$0.state.isDeleted }
    }

    /// The first message of others that is unread, in the order of messages; nil if none is.
    ///
    /// - Complexity: O(*c* log *n*) for *c* chains of *n* operations, unless the first ones were deleted.
    func firstUnread(in replica: Replica) throws(NodeError) -> OperationID? {
        do throws(StoreError) {
            guard let first = try store.firstUnreadMessage(in: replica.id, for: me, without: core.blocked) else {
                return nil
            }
            let opened = try core.open([first.operation], in: replica.id)
            guard let opened = opened[first.operation.id], opened.state.isDeleted || opened.cutOff != nil else {
                return first.operation.id
            }
        } catch {
            throw NodeError(error)
        }
        var after: String?
        repeat {
            let page = try unreadMessages(in: replica.id.description, after: after, limit: 100)
            if let first = page.messages.first { return OperationID(hexadecimal: first.id) }
            after = page.later
        } while after != nil
        return nil
    }

    /// How many of so many unread messages are still there to be read.
    private func withoutDeleted(
        _ count: Int, in conversation: ConversationID, blocked: Set<UserID>
    ) throws(StoreError) -> Int {
        guard count > 0 else { return count }
        let deletions = try store.unreadDeletions(in: conversation, for: me, without: blocked)
        guard !deletions.byAuthors.isEmpty || !deletions.byOthers.isEmpty else { return count }
        // Who may delete what others wrote is decided by the group.
        let byOthers = try core.deleted(among: deletions.byOthers, in: conversation)
        return max(0, count - deletions.byAuthors.count - byOthers.count)
    }

    // MARK: - Reading

    /// A page of the messages of others that the user has not read, the oldest first.
    ///
    /// - Parameters:
    ///   - after: a message id or a page's `later`; the page begins after it.
    ///   - limit: 1 to ``maximumPage``.
    /// - Throws: `conversation_not_found`, `message_not_found`, `invalid_request`, `storage_failed`.
    public func unreadMessages(
        in conversation: String, after: String? = nil, limit: Int = 50
    ) throws(NodeError) -> MessagePage {
        let replica = try replica(named: conversation)
        guard (1...Self.maximumPage).contains(limit) else {
            throw NodeError(.invalidRequest, "Ask for 1 to \(Self.maximumPage) messages")
        }
        let start = try after.map { text throws(NodeError) in try position(of: text, in: replica) }
        let stored: [StoredMessage]
        do throws(StoreError) {
            stored = try store.unreadMessages(
                in: replica.id, for: me, without: core.blocked, after: start, limit: limit + 1)
        } catch {
            throw NodeError(error)
        }
        let page = Array(stored.prefix(limit))
        return MessagePage(
            messages: try describe(page, in: replica).filter { !$0.deleted && $0.afterRemoval != true }, earlier: nil,
            later: stored.count > page.count ? page.last?.operation.id.description : nil, gaps: nil)
    }
}
