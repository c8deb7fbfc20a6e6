import Conversations
import Logging
import NodeCore
import OperationLog

extension Node {
    /// Texts one ``send(_:to:replyTo:clientID:)`` may commit.
    public static let textsPerRequest = NodeCore.textsPerRequest
    /// How many requests with a `client_id` are remembered, so that repeating one is harmless.
    static let rememberedRequests = 1_024

    /// Sends messages in one commit: they are on disk when this returns, and reach connected members at once.
    ///
    /// - Parameters:
    ///   - texts: 1 to 4,000 texts of at most 16 KiB each.
    ///   - clientID: a name the caller gives the request; repeating it returns the messages it made the first time.
    ///   - clearsDraft: whether the draft of the conversation became these messages: it is then forgotten with them.
    /// - Throws: `conversation_not_found`, `not_a_participant`, `announcement_only`, `text_invalid`, `message_not_found`,
    ///   `disk_full`, `storage_failed`.
    public func send(
        _ texts: [String], to conversation: String, replyTo: String? = nil, clientID: String? = nil,
        clearsDraft: Bool = false
    ) throws(NodeError) -> [MessageDescription] {
        let replica = try replica(named: conversation)
        if let clientID, let made = requests[clientID] {
            return try made.map { id throws(NodeError) in try message(id, of: replica.id) }
        }
        let answered = try replyTo.map { text throws(NodeError) in try messageID(matching: text, in: replica.id) }
        let messages = try change { core, moment throws(NodeError) in
            try core.send(texts, to: replica.id, replyTo: answered, at: moment)
        }
        if clearsDraft { forgetDraft(of: replica.id) }
        if let clientID { remember(request: clientID, made: messages.map(\.operation.id)) }
        let received = Clock.now
        return messages.map { entry in
            describe(entry.operation, effectiveTime: entry.effectiveTime, receivedAt: received, in: replica)
        }
    }

    /// The messages are sent: that the draft could not be forgotten must not look as if they were not.
    private func forgetDraft(of conversation: ConversationID) {
        guard core.privateState(of: conversation).draft != nil else { return }
        var change = PrivateChange()
        change.draft = ""
        do throws(NodeError) {
            try self.change { core, moment throws(NodeError) in try core.change(change, of: conversation, at: moment) }
        } catch {
            logger.error("a draft could not be forgotten", metadata: ["code": "\(error.code.rawValue)"])
        }
    }

    private func remember(request: String, made ids: [OperationID]) {
        requests[request] = ids
        requestOrder.append(request)
        if requestOrder.count > Self.rememberedRequests { requests[requestOrder.removeFirst()] = nil }
    }
}
