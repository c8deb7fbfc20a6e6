import OperationLog

/// ``PrivateWord/digest(_:)`` as bytes.
enum PrivateDigestMessage {
    static let kind: UInt8 = 39

    static func write(_ digest: PrivateDigest, to writer: inout CanonicalWriter) {
        writer.write(byte: kind)
        writer.write(raw: digest.bytes)
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        .privateState(.digest(PrivateDigest(bytes: try reader.raw(PrivateDigest.byteCount))))
    }
}
