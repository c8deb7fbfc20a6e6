import Conversations
import LocalAPIModel
import Logging
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
    ///   - clientID: a name the caller gives the request; repeating it in the conversation returns the messages it made the
    ///     first time.
    ///   - clearsDraft: whether the draft of the conversation became these messages: it is then forgotten with them.
    /// - Throws: `invalid_request` for a `clientID` that other messages were sent with; `conversation_not_found`, `not_a_participant`,
    ///   `announcement_only`, `text_invalid`, `message_not_found`, `disk_full`, `storage_failed`.
    public func send(
        _ texts: [String], to conversation: String, replyTo: String? = nil, clientID: String? = nil,
        clearsDraft: Bool = false
    ) throws(NodeError) -> [MessageDescription] {
        let replica = try replica(named: conversation)
        let answered = try replyTo.map { text throws(NodeError) in
            try stored(try messageID(matching: text, in: replica.id), in: replica).operation.id
        }
        let request = clientID.map { RequestName(conversation: replica.id, clientID: $0) }
        let content = SentRequest.hash(texts, answered)
        if let made = try repetition(of: request, content) {
            return try made.map { id throws(NodeError) in try message(id, of: replica.id) }
        }
        let messages = try change { core, moment throws(NodeError) in
            try core.send(texts, to: replica.id, replyTo: answered, at: moment)
        }
        if clearsDraft { forgetDraft(of: replica.id) }
        if let request { remember(request, SentRequest(content: content, made: messages.map(\.operation.id))) }
        let received = Clock.now
        return try describe(
            messages.map {
                StoredMessage(operation: $0.operation, effectiveTime: $0.effectiveTime, receivedAt: received)
            }, in: replica)
    }

    /// The messages are sent: that the draft could not be forgotten must not look as if they were not.
    private func forgetDraft(of conversation: ConversationID) {
        guard core.preferences(of: conversation).draft != nil else { return }
        var change = ConversationPreferencesUpdate()
        change.draft = ""
        do throws(NodeError) {
            try self.change { core, moment throws(NodeError) in try core.change(change, of: conversation, at: moment) }
        } catch {
            logger.error("a draft could not be forgotten", metadata: ["code": "\(error.code.rawValue)"])
        }
    }

    /// What a request made when it came before.
    ///
    /// - Throws: `invalid_request` if something else came by that name.
    func repetition(of request: RequestName?, _ content: Int) throws(NodeError) -> [OperationID]? {
        guard let request, let sent = requests[request] else { return nil }
        // Taking something new for a repetition would lose it.
        guard sent.content == content else {
            throw NodeError(
                .invalidRequest, "Something else was sent with this client_id",
                hint: "Give every message a client_id of its own.")
        }
        return sent.made
    }

    func remember(_ request: RequestName, _ sent: SentRequest) {
        requests[request] = sent
        requestOrder.append(request)
        if requestOrder.count > Self.rememberedRequests { requests[requestOrder.removeFirst()] = nil }
    }
}

/// What a client calls a request that sends messages.
struct RequestName: Hashable {
    let conversation: ConversationID
    let clientID: String
}

/// What became of such a request.
struct SentRequest {
    /// Tells it from another request; good in this process only.
    let content: Int
    let made: [OperationID]

    static func hash(_ texts: [String], _ replyTo: OperationID?) -> Int {
        var hasher = Hasher()
        hasher.combine(texts)
        hasher.combine(replyTo)
        return hasher.finalize()
    }
}
