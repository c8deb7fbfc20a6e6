import OperationLog

/// ``CardMessage/digest(_:)`` as bytes.
enum CardDigestMessage: MessageKind {
    static let kind: UInt8 = 28
    static let purpose = MessagePurpose.acquaintance
    static let circle = MessageCircle.acquaintances

    static func write(_ digest: CardDigest, to writer: inout CanonicalWriter) {
        writer.write(byte: kind)
        writer.write(raw: digest.bytes)
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        .cards(.digest(CardDigest(bytes: try reader.raw(CardDigest.byteCount))))
    }
}
