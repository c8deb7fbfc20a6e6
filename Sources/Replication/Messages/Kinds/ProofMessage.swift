import Cryptography
import OperationLog

/// ``PeerMessage/proof(_:_:_:)`` as bytes.
enum ProofMessage {
    static let kind: UInt8 = 21

    static func write(
        _ tag: ConversationTag, of invite: OperationID, _ proof: InviteProof, to writer: inout CanonicalWriter
    ) {
        writer.write(byte: kind)
        writer.write(raw: tag.bytes)
        writer.write(invite)
        writer.write(raw: proof.signature.bytes)
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        .proof(
            ConversationTag(bytes: try reader.raw(ConversationTag.byteCount)), try reader.identifier(),
            InviteProof(signature: try reader.signature()))
    }
}
