import OperationLog

/// ``PrivateMessage/digest(_:)`` as bytes.
enum PrivateDigestMessage: MessageKind {
    static let kind: UInt8 = 39
    static let purpose = MessagePurpose.ownDevices
    static let circle = MessageCircle.ownDevices
    /// Said when two devices meet, and after changes.
    private static let limit = RateLimit(of: kind, burst: 64, every: .milliseconds(500))

    static func limits(isOutside: Bool) -> [RateLimit] { [limit] }

    static func write(_ digest: PrivateDigest, to writer: inout CanonicalWriter) {
        writer.write(byte: kind)
        writer.write(raw: digest.bytes)
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        .privateState(.digest(PrivateDigest(bytes: try reader.raw(PrivateDigest.byteCount))))
    }
}
