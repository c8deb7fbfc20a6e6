import Conversations
import OperationLog

extension NodeCore {
    /// Texts one ``send(_:to:replyTo:at:)`` may commit.
    public static let textsPerRequest = 4_000

    /// Sends messages in one commit: they are on disk when this returns, and reach connected members at once.
    ///
    /// - Parameter texts: 1 to ``textsPerRequest`` texts of at most 16 KiB each.
    /// - Returns: the messages, in the order of the texts.
    /// - Throws: `conversation_not_found`, `not_a_participant`, `not_accepted`, `announcement_only`, `invalid_operation` to a blocked person alone,
    ///   `text_invalid`, `invalid_request`, `unknown_person`, `disk_full`, `storage_failed`.
    public mutating func send(
        _ texts: [String], to conversation: ConversationID, replyTo answered: OperationID? = nil, at moment: Moment
    ) throws(NodeError) -> [AdmittedOperation] {
        self.moment = moment
        let replica = try replica(conversation)
        try checkThatITakePart(in: replica)
        guard replica.group.mayWrite(me) else {
            throw NodeError(.announcementOnly, "Only admins and moderators can write in this group")
        }
        try checkThatTheOtherIsHeard(in: replica)
        guard !texts.isEmpty, texts.count <= Self.textsPerRequest else {
            throw NodeError(.invalidRequest, "Send 1 to \(Self.textsPerRequest) texts at once")
        }
        let mentions = mentions(in: replica)
        let bodies = try texts.map { text throws(NodeError) in
            guard !Self.isBlank(text),
                let body = MessageBody(text: text, replyTo: answered, mentions: mentions.people(namedIn: text))
            else { throw Self.refusal(of: text) }
            return (OperationType.message, body.encoded)
        }
        try publishKey(in: conversation)
        try checkThatTheOtherCanRead(conversation)
        let written = try write(closed: bodies, in: conversation)
        return written.filter { $0.operation.header.type == .message }
    }

    /// The names by which a text may mention members.
    func mentions(in replica: Replica) -> Mentions {
        Mentions(
            among: replica.group.members.compactMap { member in
                contacts[member.user].card.map { (member.user, $0.name) }
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

    /// Refuses to write to one person alone who could never read it: nothing can be sealed for him before a key of his was seen.
    func checkThatTheOtherCanRead(_ conversation: ConversationID) throws(NodeError) {
        guard var replica = replicas[conversation], case .direct(let first, let second) = replica.log.root else {
            return
        }
        let other = first == me ? second : first
        let view = replica.view(at: replica.log.membership.heads)
        guard view?.readers.contains(where: { $0.user == other }) == true else {
            throw NodeError(
                .unknownPerson, "Nothing is known of the keys of \(contacts[other].name)",
                hint: "Wait until the person's node has been seen on the network.")
        }
    }
}
