import OperationLog

/// ``ReceiptMessage/versions(_:)`` as bytes.
enum ReceiptVersionsMessage: MessageKind {
    static let kind: UInt8 = 18
    static let purpose = MessagePurpose.receipts
    static let circle = MessageCircle.acquaintances

    static func limits(isOutside: Bool) -> [RateLimit] { [ReceiptDigestMessage.limit] }

    static func write(_ lane: PeerMessage.LaneSlot, _ versions: [ReceiptVersion], to writer: inout CanonicalWriter) {
        writer.write(byte: kind)
        writer.write(lane)
        writer.write(count: versions.count)
        for entry in versions { entry.write(to: &writer) }
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        let lane = try reader.laneSlot()
        var versions: [ReceiptVersion] = []
        let count = try reader.count(of: "receipts", limit: PeerMessage.maximumChains, each: ReceiptVersion.byteMinimum)
        for _ in 0..<count {
            let version = try ReceiptVersion(from: &reader)
            if let last = versions.last, last.device >= version.device { throw .unsorted(field: "receipts") }
            versions.append(version)
        }
        return .conversation(lane, .receipts(.versions(versions)))
    }
}
