import Conversations
import LocalAPIModel
import NodeCore
import OperationLog
import SQLiteStore
import Storage

extension Node {
    /// Messages of which links are returned at once.
    public static let maximumLinks = maximumResults
    /// Messages looked at without a pause.
    private static let linkPart = 100

    /// The links in the messages of a conversation, the latest arrivals first; those of one message in their order.
    ///
    /// What is hidden from the user, by a deletion or because they blocked its author, is left out, and what does not
    /// count.
    ///
    /// - Parameters:
    ///   - before: the `earlier` of the page before, or the beginning of another message's id.
    ///   - limit: messages with links, 1 to ``maximumLinks``.
    /// - Throws: `invalid_request`, `conversation_not_found`, `ambiguous_name`, `message_not_found`, `storage_failed`.
    /// - Complexity: with a search index O(`limit`), where most that has "http" in it has links. Without one, messages
    ///   are opened until enough have links, 3 µs each: 0.3 s for all of 100,000. Whatever else the node has to do goes
    ///   on meanwhile.
    public func links(
        in conversation: String, before: String? = nil, limit: Int = 50
    ) async throws(NodeError) -> LinkPage {
        guard (1...Self.maximumLinks).contains(limit), let terms = SearchTerms("http") else {
            throw NodeError(.invalidRequest, "Ask for the links of 1 to \(Self.maximumLinks) messages")
        }
        let place = try replica(named: conversation).id
        var start = try before.map { id throws(NodeError) in try arrival(of: id) }
        var page = LinkPage(links: [])
        var (count, last): (Int, String?) = (0, nil)
        while true {
            let candidates: [ArrivedMessage]
            do throws(StoreError) {
                candidates = try await matches(of: terms, in: place, before: start, limit: Self.linkPart)
            } catch {
                throw NodeError(error)
            }
            for candidate in candidates where !core.isBlocked(candidate.operation.author.user) {
                let links = try describe(linksIn: candidate, of: place)
                guard !links.isEmpty else { continue }
                guard count < limit else {
                    page.earlier = last
                    return page
                }
                page.links += links
                (count, last) = (count + 1, candidate.operation.id.description)
            }
            guard let oldest = candidates.last, candidates.count == Self.linkPart else { return page }
            start = oldest.arrival
            await Task.yield()
        }
    }

    private func describe(
        linksIn candidate: ArrivedMessage, of conversation: ConversationID
    ) throws(NodeError) -> [LinkDescription] {
        let message = try message(candidate.operation.id, of: conversation)
        guard !message.deleted, message.uncounted == nil else { return [] }
        return WebLinks.find(in: message.text).map { address in
            LinkDescription(
                url: address, message: message.id, sender: message.sender, senderName: message.senderName,
                sentAt: message.sentAt)
        }
    }
}
