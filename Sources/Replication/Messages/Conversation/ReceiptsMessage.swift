import OperationLog

extension PeerMessage {
    /// Receipts in one message.
    public static let maximumReceipts = 512
    /// Bytes of a receipt; what it says is for others to judge.
    public static let maximumReceiptBytes = 256 * 1024
    /// Devices for which the receiver keeps the sender's own receipt.
    public static let maximumAbsentDevices = 2_048
}

/// ``ReceiptMessage/receipts(_:absent:)`` as bytes.
enum ReceiptsMessage: MessageKind {
    static let kind: UInt8 = 19
    static let purpose = MessagePurpose.receipts
    static let circle = MessageCircle.acquaintances
    /// Each costs a signature check; what two nodes hold of each other's users is little.
    private static let limit = RateLimit(of: kind, burst: 4_096, every: .milliseconds(10), counts: .entries)

    static func limits(isOutside: Bool) -> [RateLimit] { [limit] }

    static func write(
        _ lane: PeerMessage.LaneSlot, _ receipts: [[UInt8]], absent: [DeviceID], to writer: inout CanonicalWriter
    ) {
        writer.write(byte: kind)
        writer.write(lane)
        writer.write(count: receipts.count)
        for receipt in receipts { writer.write(data: receipt) }
        writer.write(count: absent.count)
        for device in absent { writer.write(device) }
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        let lane = try reader.laneSlot()
        var receipts: [[UInt8]] = []
        for _ in 0..<(try reader.count(of: "receipts", limit: PeerMessage.maximumReceipts, each: 1)) {
            receipts.append(try reader.data(of: "receipt", limit: PeerMessage.maximumReceiptBytes))
        }
        var absent: [DeviceID] = []
        for _ in 0..<(try reader.count(of: "devices", limit: PeerMessage.maximumAbsentDevices, each: 32)) {
            let device: DeviceID = try reader.identifier()
            if let last = absent.last, last >= device { throw .unsorted(field: "devices") }
            absent.append(device)
        }
        return .conversation(lane, .receipts(.receipts(receipts, absent: absent)))
    }
}
