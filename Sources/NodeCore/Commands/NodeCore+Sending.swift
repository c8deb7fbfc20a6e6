import Blobs
import Conversations
import OperationLog
import Storage
import Time

extension NodeCore {
    /// Texts one ``send(_:to:replyTo:answering:at:)`` may commit.
    public static let maximumTextsPerRequest = 4_000

    /// Sends messages in one commit: they are on disk when this returns, and reach connected members at once.
    ///
    /// - Parameters:
    ///   - texts: 1 to ``maximumTextsPerRequest`` texts of at most 16 KiB each.
    ///   - request: what a client calls the request, which is remembered with the messages; nil for none.
    /// - Returns: the messages, in the order of the texts.
    /// - Throws: `conversation_not_found`, `not_a_participant`, `not_accepted`, `announcement_only`,
    ///   `invalid_operation` to a blocked person alone, `deleted_person` to one alone, `text_invalid`,
    ///   `invalid_request`, `unknown_person`, `disk_full`, `storage_failed`.
    public mutating func send(
        _ texts: [String], to conversation: ConversationID, replyTo answered: OperationID? = nil,
        answering request: ClientRequest? = nil, at moment: Moment
    ) throws(NodeError) -> [AdmittedOperation] {
        self.moment = moment
        let replica = try replica(conversation)
        try requireWritePermission(in: replica)
        guard !texts.isEmpty, texts.count <= Self.maximumTextsPerRequest else {
            throw NodeError(.invalidRequest, "Send 1 to \(Self.maximumTextsPerRequest) texts at once")
        }
        let mentions = mentions(in: replica)
        let bodies = try texts.map { text throws(NodeError) in
            guard !Self.isBlank(text),
                let body = MessageBody(text: text, replyTo: answered, mentions: mentions.people(namedIn: text))
            else { throw Self.refusal(of: text) }
            return (OperationType.message, body.encoded)
        }
        try requireOtherCanRead(conversation)
        try publishKey(in: conversation)
        let written = try write(closed: bodies, in: conversation, answering: request)
        return written.filter { $0.operation.header.type == .message }
    }

    /// Sends one message that carries files, all of which were put in.
    ///
    /// - Parameters:
    ///   - text: what it says; without one, what the files are called.
    ///   - files: 1 to ``MessageState/maximumFiles`` of them, each with its name.
    ///   - request: what a client calls the request, which is remembered with the message; nil for none.
    /// - Throws: as ``send(_:to:replyTo:answering:at:)``, and `file_not_found`, `invalid_request`.
    public mutating func send(
        _ text: String?, with files: [CarriedFile], to conversation: ConversationID,
        replyTo answered: OperationID? = nil, answering request: ClientRequest? = nil, at moment: Moment
    ) throws(NodeError) -> [AdmittedOperation] {
        self.moment = moment
        guard (1...MessageState.maximumFiles).contains(files.count) else {
            throw NodeError(.invalidRequest, "A message carries 1 to \(MessageState.maximumFiles) files")
        }
        let references = try files.map { file throws(NodeError) in
            let reference = try putIn(file.address)
            let thumbnail = try file.thumbnail.map(putIn)
            guard FileName.isAllowed(file.name) else {
                throw NodeError(.nameInvalid, "A file's name has 1 to \(FileName.maximumBytes) bytes")
            }
            return AnnotationBody.Change.file(name: file.name, reference, thumbnail: thumbnail)
        }
        let body = try checkedMessage(
            text ?? MessageState.text(naming: files.map(\.name)), to: conversation, answering: answered)
        let written = try write(closed: [(.message, body.encoded)], in: conversation, answering: request) { message in
            references.compactMap { change in
                AnnotationBody(of: message, change).map { (OperationType.file, $0.encoded) }
            }
        }
        return written.filter { $0.operation.header.type == .message }
    }

    /// What opens a file all of which is here.
    private func putIn(_ address: BlobAddress) throws(NodeError) -> BlobReference {
        guard fileExchange.whole.contains(address), let reference = opening(address)?.reference else {
            throw NodeError(.fileNotFound, "File not found", hint: "Put the file in again, then send it.")
        }
        return reference
    }

    /// What this user may say in a conversation now, and what they need for it made.
    private mutating func checkedMessage(
        _ text: String, to conversation: ConversationID, answering answered: OperationID?
    ) throws(NodeError) -> MessageBody {
        let replica = try replica(conversation)
        try requireWritePermission(in: replica)
        guard !Self.isBlank(text),
            let body = MessageBody(
                text: text, replyTo: answered, mentions: mentions(in: replica).people(namedIn: text))
        else { throw Self.refusal(of: text) }
        try requireOtherCanRead(conversation)
        try publishKey(in: conversation)
        return body
    }

    func requireWritePermission(in replica: Replica) throws(NodeError) {
        try requireMembership(in: replica)
        guard replica.group.mayWrite(me) else {
            throw NodeError(
                .announcementOnly, "Only admins and moderators can write in this group",
                hint: "Ask an admin of the group to let everybody write.")
        }
        try requireOtherNotBlocked(in: replica)
        for member in replica.group.members where replica.isDirect && member.user != me {
            try requireNotDeleted(member.user)
        }
    }

    /// The names by which a text may mention members.
    func mentions(in replica: Replica) -> Mentions {
        Mentions(
            among: replica.group.members.compactMap { member in
                contacts[member.user].card.map { _ in (member.user, contacts[member.user].name) }
            })
    }

    /// Why a text cannot be a message.
    static func refusal(of text: String) -> NodeError {
        NodeError(
            .textInvalid, isBlank(text) ? "A message needs a text" : "A message has at most 16 KiB",
            hint: isBlank(text) ? nil : "Split the text into several messages.")
    }

    /// Whether a text says nothing. Those who read it get it whole all the same: only the writer is kept from it.
    static func isBlank(_ text: String) -> Bool { text.allSatisfy(\.isWhitespace) }

    /// Refuses to write to one person alone who could never read it: nothing can be sealed for them before a key of
    /// theirs was seen.
    func requireOtherCanRead(_ conversation: ConversationID) throws(NodeError) {
        guard var replica = replicas[conversation], case .direct(let first, let second) = replica.log.root else {
            return
        }
        let other = first == me ? second : first
        let view = replica.view(at: replica.log.membership.heads)
        // What is known of them, and the lane does not know, comes before the message.
        let known = contacts[other].credentials
        let isKnown = known?.wraps.contains { known?.identity.certifies($0.device) == true } == true
        guard isKnown || view?.readers.contains(where: { $0.user == other }) == true else {
            throw NodeError(
                .unknownPerson, "Nothing is known of the keys of \(contacts[other].name)",
                hint: "Wait until the person's node has been seen on the network.")
        }
    }
}
