import OperationLog

/// ``ReceiptMessage/digest(_:)`` as bytes.
enum ReceiptDigestMessage: MessageKind {
    static let kind: UInt8 = 17
    static let purpose = MessagePurpose.receipts
    static let circle = MessageCircle.anybody
    /// What is said and asked of receipts, each of which costs a look at those of two users.
    static let limit = RateLimit(of: kind, burst: 1 << 14, every: .milliseconds(10))

    static func limits(isOutside: Bool) -> [RateLimit] { [limit] }

    static func write(_ lane: PeerMessage.LaneSlot, _ digest: ReceiptDigest, to writer: inout CanonicalWriter) {
        writer.write(byte: kind)
        writer.write(lane)
        writer.write(raw: digest.bytes)
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        .conversation(
            try reader.laneSlot(), .receipts(.digest(ReceiptDigest(bytes: try reader.raw(ReceiptDigest.byteCount)))))
    }
}
