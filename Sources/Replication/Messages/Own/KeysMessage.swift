import OperationLog

/// ``OwnMessage/keys(_:)`` as bytes.
enum KeysMessage: MessageKind {
    static let kind: UInt8 = 34
    static let purpose = MessagePurpose.ownDevices
    static let circle = MessageCircle.ownDevices

    static func limits(isOutside: Bool) -> [RateLimit] { [KeysWantedMessage.limit] }

    static func write(_ lane: PeerMessage.LaneSlot, _ keys: [PeerMessage.Key], to writer: inout CanonicalWriter) {
        writer.write(byte: kind)
        writer.write(lane)
        writer.write(count: keys.count)
        for key in keys {
            writer.write(key.epoch)
            writer.write(raw: key.bytes)
        }
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        let lane = try reader.laneSlot()
        var keys: [PeerMessage.Key] = []
        for _ in 0..<(try reader.count(of: "keys", limit: PeerMessage.maximumKeys, each: 64)) {
            let epoch: OperationID = try reader.identifier()
            if let last = keys.last, last.epoch >= epoch { throw .unsorted(field: "keys") }
            keys.append(.init(epoch: epoch, bytes: try reader.raw(PeerMessage.Key.byteCount)))
        }
        return .conversation(lane, .own(.keys(keys)))
    }
}
