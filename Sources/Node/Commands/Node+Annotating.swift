import LocalAPIModel
import NodeCore
import OperationLog
import Time

/// Messages are named by their ids or unique beginnings of them.
extension Node {
    /// Gives an own message another text.
    ///
    /// - Throws: `message_not_found`, `ambiguous_name`, `not_a_participant`, `announcement_only`,
    ///   `insufficient_permissions`, `invalid_operation`, `text_invalid`, `disk_full`, `storage_failed`.
    public func edit(_ message: String, to text: String) throws(NodeError) -> MessageDescription {
        try annotate(message) { core, id, conversation, moment throws(NodeError) in
            try core.edit(id, of: conversation, to: text, at: moment)
        }
    }

    /// Hides a message from everybody.
    ///
    /// - Throws: `message_not_found`, `ambiguous_name`, `not_a_participant`, `insufficient_permissions`, `disk_full`,
    ///   `storage_failed`.
    public func delete(_ message: String) throws(NodeError) -> MessageDescription {
        try annotate(message) { core, id, conversation, moment throws(NodeError) in
            try core.delete(id, of: conversation, at: moment)
        }
    }

    /// Takes a file out of a message, for everybody. A message that says nothing else is deleted with its last file.
    ///
    /// - Parameter file: the id of the file, or a unique beginning of it.
    /// - Throws: `file_not_found`, `message_not_found`, `ambiguous_name`, `not_a_participant`,
    ///   `insufficient_permissions`, `disk_full`, `storage_failed`.
    public func delete(file: String, of message: String) throws(NodeError) -> MessageDescription {
        let address = try self.file(named: file)
        return try annotate(message) { core, id, conversation, moment throws(NodeError) in
            try core.delete(address, from: id, of: conversation, at: moment)
        }
    }

    /// Takes back an own message that nobody else has yet.
    ///
    /// - Throws: `already_delivered`, `invalid_operation`, `message_not_found`, `ambiguous_name`, `not_a_participant`,
    ///   `insufficient_permissions`, `disk_full`, `storage_failed`.
    public func cancel(_ message: String) throws(NodeError) -> MessageDescription {
        try annotate(message) { core, id, conversation, moment throws(NodeError) in
            try core.cancel(id, of: conversation, at: moment)
        }
    }

    /// Answers a message with an emoji, or takes that back.
    ///
    /// - Throws: `message_not_found`, `ambiguous_name`, `not_a_participant`, `invalid_operation`, `text_invalid`,
    ///   `disk_full`, `storage_failed`.
    public func react(
        to message: String, with emoji: String, isPresent: Bool
    ) throws(NodeError) -> MessageDescription {
        try annotate(message) { core, id, conversation, moment throws(NodeError) in
            try core.react(to: id, of: conversation, with: emoji, isPresent: isPresent, at: moment)
        }
    }

    /// Pins a message to its conversation, or unpins it.
    ///
    /// - Throws: `message_not_found`, `ambiguous_name`, `not_a_participant`, `insufficient_permissions`,
    ///   `invalid_operation`, `disk_full`, `storage_failed`.
    public func pin(_ message: String, isPinned: Bool) throws(NodeError) -> MessageDescription {
        try annotate(message) { core, id, conversation, moment throws(NodeError) in
            try core.pin(id, of: conversation, isPinned: isPinned, at: moment)
        }
    }

    /// Says something about a message, and returns what became of it.
    private func annotate(
        _ message: String, _ say: (inout NodeCore, OperationID, ConversationID, Moment) throws(NodeError) -> Void
    ) throws(NodeError) -> MessageDescription {
        let (id, replica) = try self.message(named: message)
        try change { core, moment throws(NodeError) in try say(&core, id, replica.id, moment) }
        return try self.message(id, of: replica.id)
    }
}
