import Conversations
import NodeCore
import OperationLog
import SQLiteStore
import Storage

extension Node {
    /// How many hexadecimal digits of an id suffice to mean it.
    static let minimumPrefixLength = 4

    /// The conversation a user means by an id, a unique prefix of one, or a unique name or title; a direct one also by the id of the
    /// other person, and "me" the notes to oneself.
    ///
    /// - Throws: `conversation_not_found`, `ambiguous_name` with the candidates.
    func replica(named text: String) throws(NodeError) -> Replica {
        if let id = ConversationID(hexadecimal: text), let replica = replicas[id] {
            guard !core.isErased(replica) else { throw notFound(text) }
            return replica
        }
        if text == "me", let notes = replicas[ConversationID(directBetween: me, and: me)] { return notes }
        let all = listedReplicas
        var found = all.filter { title(of: $0) == text || $0.group.name == text }
        if found.isEmpty { found = all.filter { title(of: $0).lowercased() == text.lowercased() } }
        // The title of a direct conversation is a name, which somebody else may have as well.
        let called = contacts.called(text).filter { $0.user != me }
        if called.count > 1, !found.isEmpty,
            found.allSatisfy({ replica in called.contains { $0.user == other(in: replica) } })
        {
            guard let person = core.meant(by: text, among: called) else { throw ambiguous(text, called) }
            found = all.filter { other(in: $0) == person.user }
            if found.isEmpty { throw notFound(text) }
        }
        if found.isEmpty, text.utf8.count >= Self.minimumPrefixLength {
            found = all.filter { replica in
                replica.id.description.hasPrefix(text) || other(in: replica)?.description.hasPrefix(text) == true
            }
        }
        if found.count > 1 {
            let candidates = found.map { replica in
                other(in: replica).map { candidate(contacts[$0]) }
                    ?? "\(title(of: replica)) (\(replica.id.description.prefix(8)))"
            }
            throw NodeError(
                .ambiguousName, "\"\(text)\" may mean several conversations",
                hint: "Use one of these ids: " + candidates.joined(separator: "; "))
        }
        guard let replica = found.first else { throw notFound(text) }
        return replica
    }

    /// All conversations but those that were erased, by their ids.
    var listedReplicas: [Replica] { replicas.values.filter { !core.isErased($0) }.sorted { $0.id < $1.id } }

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

    /// The person a user means by an id, a unique prefix of one, or a name that is unique among those whom the user knows better than by name.
    ///
    /// - Throws: `unknown_person`, `ambiguous_name` with the candidates.
    func person(named text: String) throws(NodeError) -> UserID {
        if let user = UserID(hexadecimal: text), contacts.knows(user) { return user }
        if text == "me" { return me }
        let found = people(meantBy: text)
        guard !found.isEmpty else {
            throw NodeError(
                .unknownPerson, "Nobody is known as \"\(text)\"", hint: "'moot people' shows who has been seen.")
        }
        guard let person = core.meant(by: text, among: found) else { throw ambiguous(text, found) }
        return person.user
    }

    /// What a conversation is called.
    func title(of replica: Replica) -> String { title(of: replica, named: replica.group.shownName, in: core) }

    /// The same of a conversation whose name has been made ready to be shown.
    func title(of replica: Replica, named name: String?, in core: NodeCore) -> String {
        if let name { return Title.of(name: name, others: []) }
        if other(in: replica, than: core.me) == core.me { return Title.notes }
        let others =
            other(in: replica, than: core.me).map { [$0] } ?? replica.group.members.map(\.user).filter { $0 != core.me }
        return Title.of(name: nil, others: others.map { core.contacts[$0].name })
    }

    /// The message a user means by an id or a unique prefix of one, with the conversation it is in.
    ///
    /// - Throws: `message_not_found`, `ambiguous_name`, `storage_failed`.
    func message(named text: String) throws(NodeError) -> (id: OperationID, replica: Replica) {
        guard text.utf8.count >= Self.minimumPrefixLength else {
            throw NodeError(
                .messageNotFound, "Message not found",
                hint: "Use at least \(Self.minimumPrefixLength) digits of its id; 'moot read --ids' shows them.")
        }
        let found: [StoredMessage?]
        do throws(StoreError) {
            found = try store.messages(matching: text).map { id throws(StoreError) in try store.message(id) }
        } catch {
            throw NodeError(error)
        }
        guard found.count <= 1 else { throw Self.ambiguous(text) }
        guard let message = found.first??.operation, let conversation = message.header.conversation,
            let replica = replicas[conversation], !core.isErased(replica)
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
