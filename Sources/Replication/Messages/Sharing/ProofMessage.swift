import Cryptography
import OperationLog

/// ``SharingMessage/proof(_:_:_:)`` as bytes.
enum ProofMessage: MessageKind {
    static let kind: UInt8 = 21
    static let purpose = MessagePurpose.acquaintance
    static let circle = MessageCircle.anybody
    /// Each costs a signature check. Of what is above that nothing is looked at.
    static let limit = RateLimit(of: kind, burst: Replicator.maximumProofs, every: Replicator.proofInterval)

    static func write(
        _ tag: ConversationTag, of invite: OperationID, _ proof: InviteProof, to writer: inout CanonicalWriter
    ) {
        writer.write(byte: kind)
        writer.write(raw: tag.bytes)
        writer.write(invite)
        writer.write(raw: proof.signature.bytes)
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        .sharing(
            .proof(
                ConversationTag(bytes: try reader.raw(ConversationTag.byteCount)), try reader.identifier(),
                InviteProof(signature: try reader.signature())))
    }
}
