import Conversations
import LocalAPIModel
import Logging
import NodeCore
import OperationLog
import SQLiteStore
import Time

extension Node {
    /// Texts one ``send(_:to:replyTo:clientID:)`` may commit.
    public static let maximumTextsPerRequest = NodeCore.maximumTextsPerRequest

    /// Sends messages in one commit: they are on disk when this returns, and reach connected members at once.
    ///
    /// - Parameters:
    ///   - texts: 1 to 4,000 texts of at most 16 KiB each.
    ///   - clientID: a name the caller gives the request; repeating it in the conversation returns the messages it made
    ///     the first time, for seven days, also after a restart.
    ///   - clearsDraft: whether the draft of the conversation became these messages: it is then forgotten with them.
    /// - Throws: `invalid_request` for a `clientID` that other messages were sent with; `conversation_not_found`,
    ///   `not_a_participant`, `announcement_only`, `text_invalid`, `message_not_found`, `disk_full`, `storage_failed`.
    public func send(
        _ texts: [String], to conversation: String, replyTo: String? = nil, clientID: String? = nil,
        clearsDraft: Bool = false
    ) throws(NodeError) -> [MessageDescription] {
        let replica = try replica(toWriteTo: conversation)
        let answered = try replyTo.map { text throws(NodeError) in
            try stored(try messageID(matching: text, in: replica.id), in: replica).operation.id
        }
        let asked = clientID.map { AskedOnce($0, in: replica.id, sends: .texts(texts), answering: answered) }
        if let made = try repetition(of: asked) {
            return try made.map { id throws(NodeError) in try message(id, of: replica.id) }
        }
        // They are stored with the time of the change, which later answers tell, too.
        let (messages, received) = try change { core, moment throws(NodeError) in
            let sent = try core.send(
                texts, to: replica.id, replyTo: answered, answering: asked.map(remembered), at: moment)
            // Before anybody is told of them.
            for message in sent { told.clientIDs[message.operation.id] = clientID }
            return (sent, moment.wall)
        }
        if clearsDraft { forgetDraft(of: replica.id) }
        return try describe(
            messages.map {
                StoredMessage(operation: $0.operation, hybridTime: $0.hybridTime, receivedAt: received)
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
}
