import NodeCore
import OperationLog
import SQLiteStore

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
    /// - Throws: `conversation_not_found`, `not_a_participant`, `announcement_only`, `text_invalid`, `message_not_found`,
    ///   `disk_full`, `storage_failed`.
    public func send(
        _ texts: [String], to conversation: String, replyTo: String? = nil, clientID: String? = nil
    ) throws(NodeError) -> [MessageDescription] {
        let replica = try replica(named: conversation)
        if let clientID, let made = requests[clientID] {
            return try made.map { id throws(NodeError) in try message(id, of: replica.id) }
        }
        let answered = try replyTo.map { text throws(NodeError) in
            try stored(try messageID(matching: text, in: replica.id), in: replica).operation.id
        }
        let messages = try change { core, moment throws(NodeError) in
            try core.send(texts, to: replica.id, replyTo: answered, at: moment)
        }
        if let clientID { remember(request: clientID, made: messages.map(\.operation.id)) }
        let received = Clock.now
        return try describe(
            messages.map {
                StoredMessage(operation: $0.operation, effectiveTime: $0.effectiveTime, receivedAt: received)
            }, in: replica)
    }

    private func remember(request: String, made ids: [OperationID]) {
        requests[request] = ids
        requestOrder.append(request)
        if requestOrder.count > Self.rememberedRequests { requests[requestOrder.removeFirst()] = nil }
    }
}
