import OperationLog

/// Which conversations two nodes share, and who may join them.
public enum SharingMessage: Hashable, Sendable {
    /// Conversations we share, named so that only somebody who knows them recognizes them.
    case tags([ConversationTag])
    /// A conversation the receiver belongs to and seems not to know.
    case announce(ConversationID, ConversationRoot)
    /// The sender may join a conversation, known by its tag, by an invite by code.
    case proof(ConversationTag, OperationID, InviteProof)
    /// An invite of which the receiver showed a proof lets nobody in any more.
    case refusal(OperationID, InviteRefusal)

    static let kinds: [any MessageKind.Type] = [
        TagsMessage.self, AnnounceMessage.self, ProofMessage.self, RefusalMessage.self,
    ]

    func write(to writer: inout CanonicalWriter) {
        switch self {
        case .tags(let tags): TagsMessage.write(tags, to: &writer)
        case .announce(let conversation, let root): AnnounceMessage.write(conversation, root, to: &writer)
        case .proof(let tag, let invite, let proof): ProofMessage.write(tag, of: invite, proof, to: &writer)
        case .refusal(let invite, let reason): RefusalMessage.write(reason, of: invite, to: &writer)
        }
    }
}
