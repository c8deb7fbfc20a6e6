import Conversations
import NodeCore
import OperationLog
import SQLiteStore

extension Node {
    /// How many hexadecimal digits of an id suffice to mean it.
    static let shortestPrefix = 4

    /// The conversation a user means by an id, a unique prefix of one, or a unique name or title.
    ///
    /// - Throws: `conversation_not_found`, `ambiguous_name` with the candidates.
    func replica(named text: String) throws(NodeError) -> Replica {
        if let id = ConversationID(hexadecimal: text), let replica = replicas[id] { return replica }
        let all = replicas.values.sorted { $0.id < $1.id }
        var found = all.filter { title(of: $0) == text || $0.group.name == text }
        if found.isEmpty { found = all.filter { title(of: $0).lowercased() == text.lowercased() } }
        if found.isEmpty, text.utf8.count >= Self.shortestPrefix {
            found = all.filter { $0.id.description.hasPrefix(text) }
        }
        if found.count > 1 {
            let candidates = found.map { "\(title(of: $0)) (\($0.id.description.prefix(8)))" }
            throw NodeError(
                .ambiguousName, "\"\(text)\" may mean several conversations",
                hint: "Use one of these ids: " + candidates.joined(separator: ", "))
        }
        guard let replica = found.first else {
            throw NodeError(
                .conversationNotFound, "Conversation not found", hint: "'moot list' shows all conversations.")
        }
        return replica
    }

    /// A conversation that is a group.
    ///
    /// - Throws: `conversation_not_found`, `ambiguous_name`, `invalid_operation`.
    func group(named text: String) throws(NodeError) -> Replica {
        let replica = try replica(named: text)
        guard !replica.isDirect else {
            throw NodeError(
                .invalidOperation, "This operation is not allowed: a direct conversation has no members to manage",
                hint: "Make a group for it: moot create")
        }
        return replica
    }

    /// The person a user means by an id, a unique prefix of one, or a unique name.
    ///
    /// - Throws: `unknown_person`, `ambiguous_name` with the candidates.
    func person(named text: String) throws(NodeError) -> UserID {
        if let user = UserID(hexadecimal: text), contacts.knows(user) { return user }
        if text == "me" { return me }
        let all = contacts.all
        var found = all.filter { $0.card?.name == text }
        if found.isEmpty { found = all.filter { $0.card?.name.lowercased() == text.lowercased() } }
        if found.isEmpty, text.utf8.count >= Self.shortestPrefix {
            found = all.filter { $0.user.description.hasPrefix(text) }
        }
        if found.count > 1 {
            // As many digits as nobody makes another key for.
            let candidates = found.map {
                "\($0.name) (\($0.user.description.prefix(16))\($0.isVerified ? ", verified" : ""))"
            }
            throw NodeError(
                .ambiguousName, "\"\(text)\" may mean several people",
                hint: "Use one of these ids: " + candidates.joined(separator: ", "))
        }
        guard let person = found.first else {
            throw NodeError(
                .unknownPerson, "Nobody is known as \"\(text)\"", hint: "'moot people' shows who has been seen.")
        }
        return person.user
    }

    /// What a conversation is called.
    func title(of replica: Replica) -> String {
        let others: [UserID]
        switch replica.log.root {
        case .direct(let first, let second): others = [first == me ? second : first]
        case .group: others = replica.group.members.map(\.user).filter { $0 != me }
        }
        return Title.of(name: replica.group.name, others: others.map { contacts[$0].name })
    }

    /// The message a user means by an id or a unique prefix of one, with the conversation it is in.
    ///
    /// - Throws: `message_not_found`, `ambiguous_name`, `storage_failed`.
    func message(named text: String) throws(NodeError) -> (id: OperationID, replica: Replica) {
        guard text.utf8.count >= Self.shortestPrefix else {
            throw NodeError(
                .messageNotFound, "Message not found",
                hint: "Use at least \(Self.shortestPrefix) digits of its id; 'moot read --ids' shows them.")
        }
        let found: [StoredMessage?]
        do throws(StoreError) {
            found = try store.messages(matching: text).map { id throws(StoreError) in try store.message(id) }
        } catch {
            throw NodeError(error)
        }
        guard found.count <= 1 else { throw Self.ambiguous(text) }
        guard let message = found.first??.operation, let conversation = message.header.conversation,
            let replica = replicas[conversation]
        else {
            throw NodeError(.messageNotFound, "Message not found", hint: "'moot read --ids' shows the ids of messages.")
        }
        return (message.id, replica)
    }

    private static func ambiguous(_ text: String) -> NodeError {
        NodeError(.ambiguousName, "\"\(text)\" may mean several messages", hint: "Use more digits of the id.")
    }

    /// The operation of a conversation that a user means by an id or a unique prefix of one.
    ///
    /// - Throws: `message_not_found`, `ambiguous_name`, `storage_failed`.
    func messageID(matching text: String, in conversation: ConversationID) throws(NodeError) -> OperationID {
        let found: [OperationID]
        do throws(StoreError) {
            found = try store.operations(matching: text, in: conversation, limit: 2)
        } catch {
            throw NodeError(error)
        }
        guard found.count <= 1 else { throw Self.ambiguous(text) }
        guard let id = found.first else { throw NodeError(.messageNotFound, "Message not found") }
        return id
    }
}
