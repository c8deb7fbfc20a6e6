import Conversations
import LocalAPIModel
import NodeCore
import OperationLog
import SQLiteStore
import Storage

extension Node {
    /// Messages a page may have.
    public static let maximumPage = 100_000

    /// A page of a conversation in the order every replica shows: by hybrid time, then by id.
    ///
    /// - Parameters:
    ///   - before: a message id or a page's `earlier`; the page ends before it.
    ///   - after: a message id or a page's `later`; the page begins after it. With neither, the newest messages.
    ///   - limit: 1 to ``maximumPage``.
    /// - Throws: `conversation_not_found`, `message_not_found`, `invalid_request`, `storage_failed`.
    public func messages(
        in conversation: String, before: String? = nil, after: String? = nil, limit: Int = 50
    ) throws(NodeError) -> MessagePage {
        let replica = try replica(named: conversation)
        guard (1...Self.maximumPage).contains(limit), before == nil || after == nil else {
            throw NodeError(.invalidRequest, "Ask for 1 to \(Self.maximumPage) messages before or after one of them")
        }
        let start = try before.map { text throws(NodeError) in try position(of: text, in: replica) }
        let end = try after.map { text throws(NodeError) in try position(of: text, in: replica) }
        let stored: [StoredMessage]
        do throws(StoreError) {
            // One more than asked for tells whether there is another page.
            stored = try store.messages(in: replica.id, before: start, after: end, limit: limit + 1)
        } catch {
            throw NodeError(error)
        }
        let system = replica.group.systemMessages(for: me).filter { message in
            let position = MessagePosition(hybridTime: message.hybridTime, id: message.id)
            return start.map { position < $0 } ?? true && end.map { position > $0 } ?? true
        }
        var merged = Array(zip(stored.map(\.position), try describe(stored, in: replica)))
        merged += system.map { message in
            (
                MessagePosition(hybridTime: message.hybridTime, id: message.id),
                describe(message, in: replica)
            )
        }
        merged.sort { $0.0 < $1.0 }
        let isForward = after != nil
        let page = isForward ? Array(merged.prefix(limit)) : Array(merged.suffix(limit))
        let isCut = merged.count > page.count
        return MessagePage(
            messages: page.map(\.1),
            earlier: isForward || isCut ? page.first?.1.id : nil,
            later: isForward ? (isCut ? page.last?.1.id : nil) : (before == nil ? nil : page.last?.1.id),
            gaps: (isForward ? isCut : before != nil) ? nil : missingOperations(in: replica))
    }

    /// One message by its id.
    func message(_ id: OperationID, of conversation: ConversationID) throws(NodeError) -> MessageDescription {
        guard let replica = replicas[conversation] else {
            throw NodeError(.conversationNotFound, "Conversation not found")
        }
        return try describe(try stored(id, in: replica), in: replica)
    }

    /// Notes that the user has read everything up to now, or up to a message.
    ///
    /// - Throws: `conversation_not_found`, `ambiguous_name`, `message_not_found`, `not_accepted`, `storage_failed`.
    public func markRead(
        _ conversation: String, upTo message: String? = nil
    ) throws(NodeError) -> ConversationDescription {
        let replica = try replica(named: conversation)
        let place = try message.map { text throws(NodeError) in try position(of: text, in: replica) }
        try change { core, moment throws(NodeError) in try core.markRead(replica.id, upTo: place, at: moment) }
        let read = try self.conversation(replica.id.description)
        // Of what is still unread the user was told, and is still to be.
        if read.unread == 0 { settleNotification(of: replica.id) }
        return read
    }

    /// The place of a message, or of a system message, by its id.
    func position(of text: String, in replica: Replica) throws(NodeError) -> MessagePosition {
        if let system = replica.group.systemMessages.first(where: { $0.id.description == text }) {
            return MessagePosition(hybridTime: system.hybridTime, id: system.id)
        }
        let id = try messageID(matching: text, in: replica.id)
        return try stored(id, in: replica).position
    }

    /// A message of a conversation.
    ///
    /// - Throws: `message_not_found`, `storage_failed`.
    func stored(_ id: OperationID, in replica: Replica) throws(NodeError) -> StoredMessage {
        guard let stored = try find(id, in: replica) else { throw NodeError(.messageNotFound, "Message not found") }
        return stored
    }

    /// A message of a conversation, or nil if it is not there.
    func find(_ id: OperationID, in replica: Replica) throws(NodeError) -> StoredMessage? {
        do throws(StoreError) {
            let stored = try store.message(id)
            // Whoever answers a message names any they like: one of another conversation is none of this one's.
            return stored?.operation.header.conversation == replica.id ? stored : nil
        } catch {
            throw NodeError(error)
        }
    }
}
