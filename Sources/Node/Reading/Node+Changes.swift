import Conversations
import LocalAPIModel
import NodeCore
import OperationLog
import SQLiteStore
import Storage

/// A message that is not what it was.
struct MessageChange {
    /// The message as it is now.
    let message: MessageDescription
    /// What happened to it, for people.
    let sentence: String
}

extension Node {
    /// The messages pinned to a conversation, in the order of the conversation.
    ///
    /// - Throws: `conversation_not_found`, `ambiguous_name`, `storage_failed`.
    public func pins(of conversation: String) throws(NodeError) -> [MessageDescription] {
        let replica = try replica(named: conversation)
        let pinned: [OperationID]
        do throws(StoreError) {
            pinned = try core.pinned(in: replica.id)
        } catch {
            throw NodeError(error)
        }
        let messages = try pinned.map { id throws(NodeError) in try stored(id, in: replica) }
        return try describe(messages.sorted { $0.position < $1.position }, in: replica)
    }

    /// One message, by id or unique prefix.
    ///
    /// - Throws: `message_not_found`, `ambiguous_name`, `storage_failed`.
    public func message(_ text: String) throws(NodeError) -> MessageDescription {
        let (id, replica) = try message(named: text)
        return try message(id, of: replica.id)
    }

    /// The messages that are not what they were without some annotations.
    func changes(by annotations: [Operation], in replica: Replica) throws(NodeError) -> [MessageChange] {
        let ignored = Set(annotations.map(\.id))
        let (targets, losing) = try targets(of: annotations, in: replica)
        var messages: [StoredMessage] = []
        for id in targets.sorted() {
            if let message = try find(id, in: replica) { messages.append(message) }
        }
        let now: [OperationID: OpenedMessage]
        let before: [OperationID: OpenedMessage]
        do throws(StoreError) {
            now = try core.open(messages.map(\.operation), in: replica.id)
            before = try core.open(messages.map(\.operation), in: replica.id, without: ignored)
        } catch {
            throw NodeError(error)
        }
        let changed = messages.filter { message in
            let id = message.operation.id
            return (now[id] != before[id] || losing.contains(id)) && now[id]?.reading.isShown != false
        }
        return try zip(changed, describe(changed, in: replica)).map { message, description in
            let id = message.operation.id
            let sentence = sentence(for: message.operation, from: before[id]?.state, to: now[id]?.state)
            return MessageChange(message: description, sentence: sentence)
        }
    }

    /// The messages that the counting ones of some annotations are about. And those among them that lose files which
    /// are not here any more, or never were: nothing else tells that these are not what they were.
    private func targets(
        of annotations: [Operation], in replica: Replica
    ) throws(NodeError) -> (all: Set<OperationID>, losing: Set<OperationID>) {
        var (all, losing): (Set<OperationID>, Set<OperationID>) = ([], [])
        do throws(StoreError) {
            for annotation in annotations {
                guard let target = try core.target(ofCounting: annotation, in: replica.id) else { continue }
                guard annotation.header.type == .delete, target.header.type == .file,
                    let message = try store.target(of: target.id, in: replica.id)
                else {
                    all.insert(target.id)
                    continue
                }
                all.insert(message)
                let author = try store.operation(message, of: replica.id)?.author.user
                if target.body == nil, target.author.user == author { losing.insert(message) }
            }
        } catch {
            throw NodeError(error)
        }
        return (all, losing)
    }

    private func sentence(for message: Operation, from before: MessageState?, to now: MessageState?) -> String {
        guard let before, let now else { return "" }
        let author = contacts[message.author.user].name
        if case .deleted(let user) = now.content {
            return user == message.author.user
                ? "\(author) deleted a message" : "\(contacts[user].name) deleted a message of \(author)"
        }
        var parts: [String] = []
        // A message of files alone says what those are called that are left.
        if now.content != before.content, !(now.isOnlyFiles && before.isOnlyFiles) {
            parts.append("\(author) edited a message")
        }
        let deleters = now.deletedFiles.filter { !before.deletedFiles.contains($0) }.map(\.user)
        for user in Set(deleters).sorted() {
            parts.append(
                user == message.author.user
                    ? "\(author) deleted a file of a message"
                    : "\(contacts[user].name) deleted a file of a message of \(author)")
        }
        for (emoji, user) in given(now, beyond: before) {
            parts.append("\(contacts[user].name) reacted \(emoji) to a message of \(author)")
        }
        for (emoji, user) in given(before, beyond: now) {
            parts.append("\(contacts[user].name) took back \(emoji) from a message of \(author)")
        }
        switch (before.pinnedBy, now.pinnedBy) {
        case (nil, let user?): parts.append("\(contacts[user].name) pinned a message of \(author)")
        case (.some, nil): parts.append("A message of \(author) is no longer pinned")
        case (nil, nil), (.some, .some): break
        }
        // What only its author can have deleted: of others' files something is here for a while.
        return parts.isEmpty ? "\(author) deleted a file of a message" : parts.joined(separator: "; ")
    }

    /// The emoji that people gave in one state and not in the other.
    private func given(_ state: MessageState, beyond other: MessageState) -> [(emoji: String, user: UserID)] {
        state.reactions.flatMap { reaction in
            let known = other.reactions.first { $0.emoji == reaction.emoji }?.users ?? []
            return reaction.users.filter { !known.contains($0) }.map { (reaction.emoji, $0) }
        }
    }
}
