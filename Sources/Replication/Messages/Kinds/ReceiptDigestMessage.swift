import OperationLog

/// ``PeerMessage/receiptDigest(_:_:)`` as bytes.
enum ReceiptDigestMessage {
    static let kind: UInt8 = 17

    static func write(_ lane: PeerMessage.LaneSlot, _ digest: ReceiptDigest, to writer: inout CanonicalWriter) {
        writer.write(byte: kind)
        writer.write(lane)
        writer.write(raw: digest.bytes)
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        .receiptDigest(try reader.laneSlot(), ReceiptDigest(bytes: try reader.raw(ReceiptDigest.byteCount)))
    }
}
