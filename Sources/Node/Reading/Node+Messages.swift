import Conversations
import Cryptography
import LocalAPIModel
import NodeCore
import OperationLog
import SQLiteStore
import Storage
import Time

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
        let isForward = after != nil
        let found = try page(of: replica, before: start, after: end, limit: limit)
        let page = found.messages
        return MessagePage(
            messages: page, earlier: isForward || found.isCut ? page.first?.id : nil,
            later: isForward ? (found.isCut ? page.last?.id : nil) : (before == nil ? nil : page.last?.id),
            gaps: (isForward ? found.isCut : before != nil) ? nil : missingOperations(in: replica))
    }

    /// No message has it: it is before all others of its millisecond.
    private static let lowestID = OperationID(
        digest: [UInt8](repeating: 0, count: Digest.byteCount).withUnsafeBytes(Digest.init(raw:)))

    /// Where the middle of a page is.
    public enum PageCenter: Sendable {
        /// At a message, or at a system message, by its id.
        case message(String)
        /// At a moment, as RFC 3339 writes it: between the messages before it and the others.
        case moment(String)
    }

    /// A page with a place in its middle, as far as the conversation goes on both sides.
    ///
    /// - Parameter limit: 1 to ``maximumPage``, with the message itself.
    /// - Throws: `conversation_not_found`, `message_not_found`, `invalid_request`, `storage_failed`.
    public func messages(
        in conversation: String, around center: PageCenter, limit: Int = 50
    ) throws(NodeError) -> MessagePage {
        let replica = try replica(named: conversation)
        guard (1...Self.maximumPage).contains(limit) else {
            throw NodeError(.invalidRequest, "Ask for 1 to \(Self.maximumPage) messages")
        }
        let place: MessagePosition
        var middle: [MessageDescription] = []
        switch center {
        case .message(let text):
            place = try position(of: text, in: replica)
            middle = [try description(at: place, in: replica)]
        case .moment(let text):
            guard let moment = Clock.time(text) else {
                throw NodeError(.invalidRequest, "\"\(text.prefix(64))\" is no time: write 2026-11-21T09:30:00Z")
            }
            // Before every message of its millisecond.
            place = MessagePosition(hybridTime: moment.milliseconds, id: Self.lowestID)
        }
        let room = limit - middle.count
        var earlier = try page(of: replica, before: place, limit: room / 2)
        let later = try page(of: replica, after: place, limit: room - earlier.messages.count)
        // A page of one that nothing follows has what comes before it: else it would be empty.
        if earlier.messages.isEmpty, middle.isEmpty, later.messages.isEmpty, earlier.isCut {
            earlier = try page(of: replica, before: place, limit: room)
        }
        let all = earlier.messages + middle + later.messages
        return MessagePage(
            messages: all, earlier: earlier.isCut ? all.first?.id : nil, later: later.isCut ? all.last?.id : nil,
            gaps: later.isCut ? nil : missingOperations(in: replica))
    }

    /// Messages strictly between two places, those of the conversation itself among them.
    ///
    /// - Returns: the first ones after `after`, else the last ones before `before`, in ascending order, and whether
    ///   there are more.
    private func page(
        of replica: Replica, before: MessagePosition? = nil, after: MessagePosition? = nil, limit: Int
    ) throws(NodeError) -> (messages: [MessageDescription], isCut: Bool) {
        let stored: [StoredMessage]
        do throws(StoreError) {
            // One more than asked for tells whether there is another page.
            stored = try store.messages(in: replica.id, before: before, after: after, limit: limit + 1)
        } catch {
            throw NodeError(error)
        }
        let system = replica.group.systemMessages(for: me).filter { message in
            let position = MessagePosition(hybridTime: message.hybridTime, id: message.id)
            return before.map { position < $0 } ?? true && after.map { position > $0 } ?? true
        }
        var merged = Array(zip(stored.map(\.position), try describe(stored, in: replica)))
        merged += system.map { message in
            (
                MessagePosition(hybridTime: message.hybridTime, id: message.id),
                describe(message, in: replica)
            )
        }
        merged.sort { $0.0 < $1.0 }
        let page = after != nil ? merged.prefix(limit) : merged.suffix(limit)
        return (page.map(\.1), merged.count > page.count)
    }

    /// The message, or system message, at a place.
    private func description(at place: MessagePosition, in replica: Replica) throws(NodeError) -> MessageDescription {
        if let system = replica.group.systemMessages(for: me).first(where: { $0.id == place.id }) {
            return describe(system, in: replica)
        }
        return try describe(try stored(place.id, in: replica), in: replica)
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
        do throws(StoreError) {
            let place = try OperationID(hexadecimal: text).flatMap { id throws(StoreError) in
                try store.position(of: id, in: replica.id)
            }
            if let place { return place }
        } catch {
            throw NodeError(error)
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
