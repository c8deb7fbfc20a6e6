import Blobs
import Conversations
import OperationLog
import Storage
import Time

/// Changes what is said, hides it or takes it back, answers it with an emoji, and pins it. All of it is closed like the
/// messages themselves.
extension NodeCore {
    /// Gives an own message another text.
    ///
    /// - Throws: `message_not_found`, `not_a_participant`, `announcement_only`, `insufficient_permissions` for somebody
    ///   else's message, `invalid_operation` for a deleted one, `text_invalid`, `disk_full`, `storage_failed`.
    public mutating func edit(
        _ message: OperationID, of conversation: ConversationID, to text: String, at moment: Moment
    ) throws(NodeError) {
        self.moment = moment
        let (replica, target, state) = try target(message, of: conversation)
        guard target.author.user == me else {
            throw Self.notAllowed(hint: "Only its author can edit a message.")
        }
        // A new text is something said; taking one back is not.
        guard replica.group.mayWrite(me) else {
            throw NodeError(
                .announcementOnly, "Only admins and moderators can write in this group",
                hint: "Ask an admin of the group to let everybody write.")
        }
        try requireNotDeleted(state)
        let mentions = mentions(in: replica).people(namedIn: text)
        guard !Self.isBlank(text), let body = AnnotationBody(of: message, .edit(text: text, mentions: mentions)) else {
            throw Self.refusal(of: text)
        }
        if case .text(text, mentions, _) = state.content { return }
        try annotate(body, in: conversation)
    }

    /// Hides a message from everybody; one that is hidden already stays so. What nobody else has yet of an own one
    /// never leaves this device.
    ///
    /// - Throws: `message_not_found`, `not_a_participant`, `insufficient_permissions`, `disk_full`, `storage_failed`.
    public mutating func delete(
        _ message: OperationID, of conversation: ConversationID, at moment: Moment
    ) throws(NodeError) {
        self.moment = moment
        let (replica, target, state) = try target(message, of: conversation)
        guard target.author.user == me || replica.group.mayModerate(me) else {
            throw Self.notAllowed(hint: "Only its author, moderators and admins can delete a message.")
        }
        guard !state.isDeleted else { return }
        let parts = isUndisclosed(target, in: conversation) ? try parts(of: target, in: conversation) : []
        try retract([target] + parts.filter { isUndisclosed($0, in: conversation) }, in: conversation)
    }

    /// Takes a file out of a message, for everybody; one that is out already stays so. What nobody else has yet of an
    /// own one never leaves this device.
    ///
    /// A message that says nothing else is deleted with its last file. While others are left, its author's node makes
    /// it say what those are called.
    ///
    /// - Throws: `file_not_found` if the message carries no such file, `message_not_found`, `not_a_participant`,
    ///   `insufficient_permissions`, `disk_full`, `storage_failed`.
    public mutating func delete(
        _ file: BlobAddress, from message: OperationID, of conversation: ConversationID, at moment: Moment
    ) throws(NodeError) {
        self.moment = moment
        let (replica, target, state) = try target(message, of: conversation)
        guard target.author.user == me || replica.group.mayModerate(me) else {
            throw Self.notAllowed(hint: "Only its author, moderators and admins can delete a file of a message.")
        }
        guard !state.isDeleted else { return }
        let deleted = state.files.filter { $0.reference.address == file }
        guard !deleted.isEmpty else {
            if state.deletedFiles.contains(where: { $0.file.reference.address == file }) { return }
            throw NodeError(.fileNotFound, "The message carries no such file")
        }
        let rest = state.files.filter { $0.reference.address != file }
        if state.isOnlyFiles, rest.isEmpty { return try delete(message, of: conversation, at: moment) }
        var bodies = deleted.map { AnnotationBody(of: $0.operation, .delete) }
        if state.isOnlyFiles, target.author.user == me {
            let names = MessageState.text(naming: rest.map(\.name))
            let mentions = mentions(in: replica).people(namedIn: names)
            bodies.append(AnnotationBody(of: message, .edit(text: names, mentions: mentions)))
        }
        try annotate(bodies.compactMap(\.self), in: conversation)
    }

    /// Lets messages of this device that only say what their files are called say what is left, after others deleted
    /// some of these.
    ///
    /// What is shown says so anyway, as long as it is known what is gone. This makes it last: then replicas can erase
    /// that.
    mutating func nameFilesLeft(after admitted: [AdmittedOperation], in conversation: ConversationID) throws(NodeError)
    {
        guard replicas[conversation]?.group.isMember(me) == true else { return }
        var messages: Set<OperationID> = []
        for deletion in admitted.map(\.operation) where deletion.header.type == .delete {
            guard deletion.author.id != device.id, let deleted = annotation(deletion, in: conversation)?.target else {
                continue
            }
            do throws(StoreError) {
                guard let file = try storage.operation(deleted, of: conversation), file.header.type == .file,
                    file.author.id == device.id, let message = annotation(file, in: conversation)?.target
                else { continue }
                messages.insert(message)
            } catch {
                throw NodeError(error)
            }
        }
        for message in messages.sorted() {
            let (replica, target, state) = try target(message, of: conversation)
            guard state.namesDeletedFiles, target.author.id == device.id else { continue }
            guard !state.files.isEmpty else {
                try retract([target], in: conversation)
                continue
            }
            let names = MessageState.text(naming: state.files.map(\.name))
            let people = mentions(in: replica).people(namedIn: names)
            let edit = AnnotationBody(of: message, .edit(text: names, mentions: people))
            try annotate([edit].compactMap(\.self), in: conversation)
        }
    }

    /// Takes an own message back that nobody else has yet, with all it was changed to and its files: nothing of it ever
    /// leaves this device. One that was taken back already stays so. One that has failed is only taken from the user's
    /// sight: nobody else will have it.
    ///
    /// - Throws: `already_delivered` if somebody has it or it is on its way, `invalid_operation` if it was deleted and
    ///   somebody has it or what is left of it, `message_not_found`, `not_a_participant`, `insufficient_permissions`
    ///   for somebody else's, `disk_full`, `storage_failed`.
    public mutating func cancel(
        _ message: OperationID, of conversation: ConversationID, at moment: Moment
    ) throws(NodeError) {
        self.moment = moment
        if try dismissIfFailed(message, of: conversation) { return }
        let (_, target, state) = try target(message, of: conversation)
        guard target.author.user == me else {
            throw Self.notAllowed(hint: "Only its author can cancel a message.")
        }
        guard !state.isDeleted else {
            // Somebody may have read it before.
            if !isUndisclosed(target, in: conversation) { try requireNotDeleted(state) }
            return
        }
        let parts = try [target] + parts(of: target, in: conversation)
        guard parts.allSatisfy({ isUndisclosed($0, in: conversation) }) else {
            throw NodeError(
                .alreadyDelivered, "The message has left this host already",
                hint: "'moot delete' hides it from everybody; people who read it have read it.")
        }
        try retract(parts, in: conversation)
    }

    /// Erases a message that has failed, with its parts; whether it is one.
    private mutating func dismissIfFailed(
        _ message: OperationID, of conversation: ConversationID
    ) throws(NodeError) -> Bool {
        do throws(StoreError) {
            guard let target = try storage.operation(message, of: conversation), target.header.type == .message,
                hasFailed(target, in: conversation)
            else { return false }
            let parts = try storage.annotations(of: [message], in: conversation, fromEachEnd: nil)[message, default: []]
            let erased = [message] + parts.map(\.operation.id)
            try storage.dismiss(erased, in: conversation)
            self.erased(erased, in: conversation)
        } catch {
            throw NodeError(error)
        }
        show(.conversation(conversation))
        return true
    }

    /// What the author of a message changed it to, and the files they sent with it.
    private func parts(of message: Operation, in conversation: ConversationID) throws(NodeError) -> [Operation] {
        do throws(StoreError) {
            let said = try storage.annotations(of: [message.id], in: conversation, fromEachEnd: nil)
            return (said[message.id] ?? []).map(\.operation)
                .filter { [.edit, .file].contains($0.header.type) && $0.author.user == message.author.user }
        } catch {
            throw NodeError(error)
        }
    }

    /// Deletes a message and its parts. Each is named by itself: without its body nobody could tell that it goes with
    /// the message, and a device that has only its header would ask for it permanently.
    private mutating func retract(_ parts: [Operation], in conversation: ConversationID) throws(NodeError) {
        try annotate(parts.compactMap { AnnotationBody(of: $0.id, .delete) }, in: conversation)
    }

    /// Answers a message with an emoji, or takes that back.
    ///
    /// A member may do so where only admins and moderators write: it is how the others are heard there.
    ///
    /// - Throws: `message_not_found`, `not_a_participant`, `invalid_operation` for a deleted message, `text_invalid`
    ///   for what is not one emoji, `disk_full`, `storage_failed`.
    public mutating func react(
        to message: OperationID, of conversation: ConversationID, with emoji: String, isPresent: Bool, at moment: Moment
    ) throws(NodeError) {
        self.moment = moment
        let (_, _, state) = try target(message, of: conversation)
        try requireNotDeleted(state)
        let isGiven = state.reactions.contains { $0.emoji.utf8.elementsEqual(emoji.utf8) && $0.users.contains(me) }
        guard isGiven != isPresent else { return }
        guard isGiven || Emoji.isOne(emoji),
            let body = AnnotationBody(of: message, .reaction(emoji: emoji, isPresent: isPresent))
        else {
            throw NodeError(.textInvalid, "A reaction is one emoji")
        }
        try annotate(body, in: conversation)
    }

    /// Pins a message to its conversation, or unpins it.
    ///
    /// - Throws: `message_not_found`, `not_a_participant`, `insufficient_permissions`, `invalid_operation` for a
    ///   deleted message, `disk_full`, `storage_failed`.
    public mutating func pin(
        _ message: OperationID, of conversation: ConversationID, isPinned: Bool, at moment: Moment
    ) throws(NodeError) {
        self.moment = moment
        let (replica, _, state) = try target(message, of: conversation)
        guard replica.isDirect || replica.group.mayModerate(me) else {
            throw Self.notAllowed(hint: "Only moderators and admins can pin a message in a group.")
        }
        try requireNotDeleted(state)
        guard (state.pinnedBy != nil) != isPinned, let body = AnnotationBody(of: message, .pin(isPinned: isPinned))
        else {
            return
        }
        try annotate(body, in: conversation)
    }

    /// A message that this user sees, in a conversation they are in.
    private mutating func target(
        _ message: OperationID, of conversation: ConversationID
    ) throws(NodeError) -> (Replica, Operation, MessageState) {
        let replica = try replica(conversation)
        try requireMembership(in: replica)
        let stored: Operation?
        let opened: OpenedMessage?
        do throws(StoreError) {
            stored = try storage.operation(message, of: conversation)
            opened = try stored.flatMap { operation throws(StoreError) in
                try open([operation], in: conversation)[operation.id]
            }
        } catch {
            throw NodeError(error)
        }
        guard let stored, stored.header.type == .message, let opened, opened.reading.isShown else {
            throw NodeError(.messageNotFound, "Message not found")
        }
        return (replica, stored, opened.state)
    }

    private func requireNotDeleted(_ state: MessageState) throws(NodeError) {
        guard !state.isDeleted else {
            throw NodeError(
                .invalidOperation, "This operation is not allowed: the message was deleted",
                hint: "Choose another message.")
        }
    }

    private static func notAllowed(hint: String) -> NodeError {
        NodeError(.insufficientPermissions, "You don't have permission to perform this action", hint: hint)
    }

    private mutating func annotate(_ body: AnnotationBody, in conversation: ConversationID) throws(NodeError) {
        try annotate([body], in: conversation)
    }

    private mutating func annotate(_ bodies: [AnnotationBody], in conversation: ConversationID) throws(NodeError) {
        try requireOtherCanRead(conversation)
        try publishKey(in: conversation)
        _ = try write(closed: bodies.map { ($0.type, $0.encoded) }, in: conversation)
    }
}
