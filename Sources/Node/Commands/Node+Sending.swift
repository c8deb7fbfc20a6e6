import Conversations
import OperationLog

extension Node {
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
        try checkMayWrite(in: replica)
        let answered = try replyTo.map { text throws(NodeError) in try messageID(matching: text, in: replica.id) }
        guard !texts.isEmpty, texts.count <= Self.textsPerRequest else {
            throw NodeError(.invalidRequest, "Send 1 to \(Self.textsPerRequest) texts at once")
        }
        let drafts = try texts.map { text throws(NodeError) in
            guard let body = MessageBody(text: text, replyTo: answered) else {
                throw NodeError(
                    .textInvalid, text.isEmpty ? "A message needs a text" : "A message has at most 16 KiB",
                    hint: text.isEmpty ? nil : "Split the text into several messages.")
            }
            return ConversationLog.Draft(type: .message, body: body.encoded)
        }
        try introduceDevice(in: replica.id)
        let written = try write(in: replica.id) { log throws(MalformedBytes) in
            try log.write(content: drafts, by: home.author, at: Clock.now)
        }
        let messages = written.filter { $0.operation.header.type == .message }
        if let clientID { remember(request: clientID, made: messages.map(\.operation.id)) }
        let received = Clock.now
        return messages.map { entry in
            describe(entry.operation, effectiveTime: entry.effectiveTime, receivedAt: received, in: replica)
        }
    }

    private func checkMayWrite(in replica: Replica) throws(NodeError) {
        guard replica.group.isMember(me) else {
            throw NodeError(.notAParticipant, "You are not a participant in this conversation")
        }
        guard replica.group.mayWrite(me) else {
            throw NodeError(.announcementOnly, "Only admins and moderators can write in this group")
        }
    }

    private func remember(request: String, made ids: [OperationID]) {
        requests[request] = ids
        requestOrder.append(request)
        if requestOrder.count > Self.rememberedRequests { requests[requestOrder.removeFirst()] = nil }
    }
}
