import OperationLog

/// ``PeerMessage/cardDigest(_:)`` as bytes.
enum CardDigestMessage {
    static let kind: UInt8 = 28

    static func write(_ digest: CardDigest, to writer: inout CanonicalWriter) {
        writer.write(byte: kind)
        writer.write(raw: digest.bytes)
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        .cardDigest(CardDigest(bytes: try reader.raw(CardDigest.byteCount)))
    }
}
