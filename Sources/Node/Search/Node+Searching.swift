import Conversations
import LocalAPIModel
import NodeCore
import OperationLog
import SQLiteStore
import Storage

extension Node {
    /// Messages a search may return at once.
    public static let maximumResults = 100
    /// Bytes of what is searched for.
    public static let maximumSearchLength = SearchTerms.maximumLength
    /// Messages opened without a pause by a search that has no index.
    private static let scanPart = 512

    /// Messages with all the words of a query, the latest arrivals first, in one conversation or in all.
    ///
    /// - Parameters:
    ///   - query: 1 to 16 words; the last one may be only begun. Case and diacritics do not count.
    ///   - before: the `earlier` of the page before, or the beginning of another message's id.
    ///   - limit: 1 to ``maximumResults``.
    /// - Throws: `invalid_request`, `conversation_not_found`, `ambiguous_name`, `message_not_found`, `storage_failed`.
    /// - Complexity: with an index O(`limit`) for words that are often found. Without one, messages are opened until
    ///   enough match: 3 µs each.
    public func search(
        _ query: String, in conversation: String? = nil, before: String? = nil, limit: Int = 20
    ) async throws(NodeError) -> SearchPage {
        guard let terms = SearchTerms(query) else {
            throw NodeError(
                .invalidRequest, "Search for 1 to \(SearchTerms.maximumTerms) words",
                hint: "Words are letters and digits, \(SearchTerms.maximumLength) bytes in all.")
        }
        guard (1...Self.maximumResults).contains(limit) else {
            throw NodeError(.invalidRequest, "Ask for 1 to \(Self.maximumResults) messages")
        }
        let place = try conversation.map { name throws(NodeError) in try replica(named: name).id }
        let start = try before.map { id throws(NodeError) in try arrival(of: id) }
        let found: [ArrivedMessage]
        do throws(StoreError) {
            // One more than asked for tells whether there is another page.
            found = try await matches(of: terms, in: place, before: start, limit: limit + 1)
        } catch {
            throw NodeError(error)
        }
        var hits: [SearchHit] = []
        for message in found.prefix(limit) {
            if let hit = try hit(for: message, terms) { hits.append(hit) }
        }
        return SearchPage(hits: hits, earlier: found.count > limit ? found[limit - 1].operation.id.description : nil)
    }

    /// Messages that have all the words, the latest arrivals first; the index may know some that were deleted or hidden
    /// since.
    func matches(
        of terms: SearchTerms, in conversation: ConversationID?, before: Int64?, limit: Int
    ) async throws(StoreError) -> [ArrivedMessage] {
        indexing.isWanted
            ? try await lookUp(terms, in: conversation, before: before, limit: limit)
            : try await scan(for: terms, in: conversation, before: before, limit: limit)
    }

    /// When a message came, for pages.
    ///
    /// - Throws: `message_not_found`, `ambiguous_name`, `storage_failed`.
    func arrival(of text: String) throws(NodeError) -> Int64 {
        let id = try message(named: text).id
        do throws(StoreError) {
            if let arrival = try store.arrival(of: id) { return arrival }
        } catch {
            throw NodeError(error)
        }
        throw NodeError(.messageNotFound, "Message not found")
    }

    private func lookUp(
        _ terms: SearchTerms, in conversation: ConversationID?, before: Int64?, limit: Int
    ) async throws(StoreError) -> [ArrivedMessage] {
        try await indexEverything()
        return try store.matches(of: terms.expression, in: conversation, before: before, limit: limit)
    }

    private func scan(
        for terms: SearchTerms, in conversation: ConversationID?, before: Int64?, limit: Int
    ) async throws(StoreError) -> [ArrivedMessage] {
        var found: [ArrivedMessage] = []
        var start = before
        while found.count < limit, !isStopped {
            let part = try store.newestMessages(in: conversation, before: start, limit: Self.scanPart)
            guard let last = part.last else { break }
            let texts = try texts(of: part.map(\.operation))
            found += part.filter { texts[$0.operation.id].map(terms.match) ?? false }
            start = last.arrival
            await Task.yield()
        }
        return Array(found.prefix(limit))
    }

    /// What a message that was found is shown as; nil if its author is blocked, its conversation gone or it was erased
    /// meanwhile.
    private func hit(for message: ArrivedMessage, _ terms: SearchTerms) throws(NodeError) -> SearchHit? {
        guard !core.isBlocked(message.operation.author.user),
            let conversation = message.operation.header.conversation, let replica = replicas[conversation],
            !core.isErased(replica)
        else { return nil }
        let described = try self.message(message.operation.id, of: conversation)
        return SearchHit(message: described, title: title(of: replica), excerpt: terms.excerpt(of: described.text))
    }
}
