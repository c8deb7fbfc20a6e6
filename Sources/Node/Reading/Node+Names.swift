import Conversations
import NodeCore
import OperationLog
import SQLiteStore
import Storage

extension Node {
    /// The conversation a user means by an id, a unique prefix of one, or a unique name or title; a direct one also by
    /// the id of the other person, and "me" the notes to oneself. What a text may mean, ``Designation`` says.
    ///
    /// - Throws: `conversation_not_found`, `ambiguous_name` with the candidates.
    func replica(named text: String) throws(NodeError) -> Replica {
        if let id = ConversationID(hexadecimal: text), let replica = replicas[id] {
            guard !core.isErased(replica) else { throw notFound(text) }
            return replica
        }
        var found: [Replica]
        switch Designation(text) {
        case .id(let beginning):
            found = replicas(withIDsFrom: beginning)
        case .oneself:
            guard let notes = replicas[ConversationID(directBetween: me, and: me)] else {
                throw NodeError(
                    .conversationNotFound, "Conversation not found: you have no notes to yourself yet",
                    hint: "They begin with what you send to yourself: moot send me TEXT")
            }
            return notes
        case .ownWord:
            throw notFound(text)
        case .name(let name, let beginning):
            found = try replicas(called: name)
            for other in beginning.map(replicas(withIDsFrom:)) ?? [] where !found.contains(where: { $0.id == other.id })
            {
                found.append(other)
            }
        }
        guard found.count <= 1 else { throw ambiguous(text, found, []) }
        guard let replica = found.first else { throw notFound(text) }
        return replica
    }

    /// The conversation to write to, as ``replica(named:)``. Notes to oneself begin where there are none yet: what is
    /// for oneself goes to nobody else, and is not refused.
    ///
    /// - Throws: as that, and `disk_full`, `storage_failed`.
    func replica(toWriteTo text: String) throws(NodeError) -> Replica {
        if Designation(text) == .oneself, replicas[ConversationID(directBetween: me, and: me)] == nil {
            let user = me
            try change { core, moment throws(NodeError) in _ = try core.openDirect(with: user, at: moment) }
        }
        return try replica(named: text)
    }

    /// The conversations whose id, or the id of whose other person, begins so.
    private func replicas(withIDsFrom beginning: String) -> [Replica] {
        listedReplicas.filter { replica in
            replica.id.description.hasPrefix(beginning) || other(in: replica)?.description.hasPrefix(beginning) == true
        }
    }

    /// The conversations that a name may mean; several where that is not clear.
    ///
    /// Others can begin a conversation under any name. So what the user has not accepted is meant only where nothing
    /// that they have accepted and nobody else is called alike.
    ///
    /// - Throws: `conversation_not_found`, `ambiguous_name`.
    private func replicas(called name: String) throws(NodeError) -> [Replica] {
        let heard = People.asHeard(name)
        let titles = listedReplicas.map { (replica: $0, title: title(of: $0)) }
        let called = titles.filter { People.asHeard($0.title) == heard }
        let people = contacts.alike(name).filter { $0.user != me }
        // The title of a direct conversation is a name, which somebody else may have as well.
        if !called.isEmpty, called.allSatisfy(\.replica.isDirect), people.count > 1 {
            guard let person = core.meant(by: name, among: people) else { throw ambiguous(name, people) }
            let found = called.map(\.replica).filter { other(in: $0) == person.user }
            if found.isEmpty { throw notFound(name) }
            return found
        }
        let accepted = called.filter { core.isAccepted($0.replica) }
        if accepted.isEmpty, let one = called.first {
            let look = NameLook(of: name)
            let alike = titles.map(\.replica).filter { replica in
                replica.id == one.replica.id || NameLook(of: title(of: replica)) == look
            }
            let others = people.filter { person in !alike.contains { other(in: $0) == person.user } }
            if alike.count + others.count > 1 { throw ambiguous(name, alike, others) }
        }
        let meant = accepted.isEmpty ? called : accepted
        let written = meant.filter { $0.title == name }
        return (written.count == 1 ? written : meant).map(\.replica)
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

    /// The person a user means by an id, a unique prefix of one, or a name that is unique among those whom the user
    /// knows better than by name. What a text may mean, ``Designation`` says.
    ///
    /// - Throws: `unknown_person`, `ambiguous_name` with the candidates.
    func person(named text: String) throws(NodeError) -> UserID {
        switch Designation(text) {
        case .id(let beginning):
            let found = contacts.people(withIDsFrom: beginning)
            guard found.count <= 1 else { throw ambiguous(text, found) }
            guard let person = found.first else { throw unknownPerson(text) }
            return person.user
        case .oneself:
            return me
        case .ownWord:
            throw unknownPerson(text)
        case .name(let name, let beginning):
            let alike = contacts.alike(name)
            let called = alike.filter { People.asHeard($0.name) == People.asHeard(name) }
            let others = (beginning.map(contacts.people(withIDsFrom:)) ?? []).filter { one in
                !called.contains { $0.user == one.user }
            }
            if called.isEmpty, others.count == 1 { return others[0].user }
            guard others.isEmpty else { throw ambiguous(text, called + others) }
            guard !called.isEmpty else { throw unknownPerson(text) }
            guard let person = core.meant(by: name, among: alike) else { throw ambiguous(text, alike) }
            return person.user
        }
    }

    /// What a conversation is called.
    func title(of replica: Replica) -> String { title(of: replica, named: replica.group.shownName, in: core) }

    /// The same of a conversation whose name has been made ready to be shown.
    func title(of replica: Replica, named name: String?, in core: NodeCore) -> String {
        if let name { return Title.of(name: name, others: []) }
        if other(in: replica, than: core.me) == core.me { return OwnWord.notes.rawValue }
        let others =
            other(in: replica, than: core.me).map { [$0] } ?? replica.group.members.map(\.user).filter { $0 != core.me }
        return Title.of(name: nil, others: others.map { core.contacts[$0].name })
    }

    /// The message a user means by an id or a unique prefix of one, with the conversation it is in.
    ///
    /// - Throws: `message_not_found`, `ambiguous_name`, `storage_failed`.
    func message(named text: String) throws(NodeError) -> (id: OperationID, replica: Replica) {
        guard text.utf8.count >= Designation.minimumPrefixLength else {
            throw NodeError(
                .messageNotFound, "Message not found",
                hint: "Use at least \(Designation.minimumPrefixLength) digits of its id; 'moot read --ids' shows them.")
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
