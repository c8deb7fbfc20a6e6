import Conversations
import LocalAPIModel
import NodeCore
import OperationLog
import SQLiteStore
import Storage
import Time

/// Puts messages into words for those who ask: the local API and the command.
extension Node {
    func describe(_ stored: StoredMessage, in replica: Replica) throws(NodeError) -> MessageDescription {
        try describe(stored, in: replica, of: core)
    }

    func describe(
        _ stored: StoredMessage, isAnnotated: Bool = true, in replica: Replica, of core: NodeCore
    ) throws(NodeError) -> MessageDescription {
        guard let description = try describe([stored], areAnnotated: isAnnotated, in: replica, of: core).first else {
            preconditionFailure("every message has a description")
        }
        return description
    }

    /// Describes messages with what became of them and what they answer, in the order given.
    ///
    /// - Complexity: O(*n*) in the messages, those they answer, and what was said about both.
    func describe(_ messages: [StoredMessage], in replica: Replica) throws(NodeError) -> [MessageDescription] {
        try describe(messages, in: replica, of: core)
    }

    /// The same for whoever took the core out of the node: each look at it there copies all its parts.
    private func describe(
        _ messages: [StoredMessage], areAnnotated: Bool = true, in replica: Replica, of core: NodeCore
    ) throws(NodeError) -> [MessageDescription] {
        let opened = try open(messages.map(\.operation), areAnnotated: areAnnotated, in: replica)
        let quotes = try quotes(of: Set(opened.values.compactMap(\.state.replyTo)), in: replica, of: core)
        return messages.compactMap { stored in
            guard let message = opened[stored.operation.id] else { return nil }
            return describe(
                stored, opened: message, answering: message.state.replyTo.flatMap { quotes[$0] }, in: replica,
                of: core)
        }
    }

    private func open(
        _ messages: [Operation], areAnnotated: Bool = true, in replica: Replica
    ) throws(NodeError) -> [OperationID: OpenedMessage] {
        do throws(StoreError) {
            return try core.open(messages, in: replica.id, areAnnotated: areAnnotated)
        } catch {
            throw NodeError(error)
        }
    }

    /// The beginnings of messages that are answered, as far as they are here and for this device.
    private func quotes(
        of answered: Set<OperationID>, in replica: Replica, of core: NodeCore
    ) throws(NodeError) -> [OperationID: MessageDescription.Quote] {
        guard !answered.isEmpty else { return [:] }
        var messages: [Operation] = []
        for id in answered.sorted() {
            if let stored = try find(id, in: replica) { messages.append(stored.operation) }
        }
        let opened = try open(messages, in: replica)
        var quotes: [OperationID: MessageDescription.Quote] = [:]
        for message in messages {
            guard let shown = opened[message.id], shown.reading.isShown else { continue }
            let visible = visible(shown, of: message, in: core)
            let line = visible.text.split(whereSeparator: \.isNewline).first ?? ""
            quotes[message.id] = MessageDescription.Quote(
                id: message.id.description, sender: message.author.user.description,
                senderName: core.contacts[message.author.user].name,
                text: String(line.prefix(APILimits.maximumQuoteLength)), readability: visible.readability)
        }
        return quotes
    }

    private func describe(
        _ stored: StoredMessage, opened: OpenedMessage, answering quote: MessageDescription.Quote?,
        in replica: Replica, of core: NodeCore
    ) -> MessageDescription {
        let operation = stored.operation
        let visible = visible(opened, of: operation, in: core)
        let files = visible.readability == .open ? opened.state.files : []
        return MessageDescription(
            id: operation.id.description, conversation: replica.id.description, kind: files.isEmpty ? .text : .file,
            sender: operation.author.user.description, senderName: core.contacts[operation.author.user].name,
            text: visible.text, readability: visible.readability, unreadable: visible.reason?.rawValue,
            unreadableReason: visible.reason?.sentence,
            sentAt: Clock.text(operation.header.time.milliseconds),
            clientId: operation.author.user == me ? told.clientIDs[operation.id] : nil,
            receivedAt: Clock.text(stored.receivedAt.milliseconds),
            replyTo: opened.state.replyTo?.description, quote: quote, mentions: visible.mentions.map(\.description),
            editedAt: visible.editedAt.map { Clock.text($0.milliseconds) }, deleted: visible.deletedBy != nil,
            deletedBy: visible.deletedBy?.description,
            reactions: opened.state.reactions.compactMap { reaction in
                let users = reaction.users.filter { !core.isBlocked($0) }
                guard !users.isEmpty else { return nil }
                return MessageDescription.Reaction(
                    emoji: reaction.emoji, users: users.map(\.description), names: users.map { core.contacts[$0].name })
            },
            files: files.map { describe($0, of: operation.id, in: replica.id) }, pinned: opened.state.pinnedBy != nil,
            uncounted: opened.cutOff.map { describe($0, in: replica.group) },
            state: deliveryState(of: operation, in: replica), system: nil,
            gap: visible.readability == .wanted ? gap(at: operation, in: replica) : nil)
    }

    /// What is shown of a message; of a blocked person's only that there is one.
    private func visible(_ message: OpenedMessage, of operation: Operation, in core: NodeCore) -> Visible {
        let visible = Visible(message)
        guard core.isBlocked(operation.author.user), visible.readability != .closed, visible.deletedBy == nil else {
            return visible
        }
        return Visible(folded: Self.blockedText)
    }

    func describe(_ message: SystemMessage, in replica: Replica) -> MessageDescription {
        MessageDescription(
            id: message.id.description, conversation: replica.id.description, kind: .system,
            sender: nil, senderName: nil,
            text: message.text(for: me, groupName: title(of: replica)) { contacts[$0].name }, readability: .open,
            sentAt: Clock.text(message.hybridTime), receivedAt: nil, replyTo: nil,
            state: deliveryState(of: message, in: replica),
            system: MessageDescription.System(
                action: MessageDescription.System.Action(message.action), actor: message.actor.description,
                targets: message.targets.map(\.description),
                value: message.value.map(SanitizedText.line), overruled: message.isOverruled ? true : nil))
    }
}

/// What of a message can be put into words.
private struct Visible {
    var text = ""
    var mentions: [UserID] = []
    var editedAt: Timestamp?
    var deletedBy: UserID?
    var readability = MessageDescription.Readability.open
    var reason: Unreadable?

    init(folded text: String) {
        (self.text, readability) = (text, .blocked)
    }

    init(_ message: OpenedMessage) {
        // An edit may be for this device where the message is not: it was written for the members of another moment.
        guard message.reading != .closed else {
            readability = .closed
            return
        }
        switch message.state.content {
        case .text(let text, let mentions, let editedAt):
            (self.text, self.mentions, self.editedAt) = (text, mentions, editedAt)
        case .deleted(let user):
            (deletedBy, readability) = (user, .deleted)
        case .unreadable:
            switch message.reading {
            case .closed: readability = .closed
            case .wanted: readability = .wanted
            case .declined: readability = .declined
            case .erased: readability = .expired
            case .unreadable(let reason): (readability, self.reason) = (.unreadable, reason)
            // It opens, but what was sealed is no message.
            case .open: (readability, reason) = (.unreadable, .malformed)
            }
        }
    }
}
