import OperationLog

/// ``LaneMessage/batch(isAnswer:reached:_:)`` as bytes.
enum BatchMessage: MessageKind {
    static let kind: UInt8 = 9
    static let purpose = MessagePurpose.operations
    static let circle = MessageCircle.acquaintances
    /// Bytes that name the readers of a full view.
    static let maximumReachedBytes = 64

    static func write(
        _ lane: PeerMessage.LaneSlot, isAnswer: Bool, reached: [UInt8], _ bytes: [UInt8],
        to writer: inout CanonicalWriter
    ) {
        writer.write(byte: kind)
        writer.write(lane)
        writer.write(byte: isAnswer ? 1 : 0)
        writer.write(data: reached)
        writer.write(raw: bytes)
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        let lane = try reader.laneSlot()
        let isAnswer = try reader.flag()
        let reached = try reader.data(of: "reached", limit: maximumReachedBytes)
        guard reached.last != 0 else { throw .invalid(field: "reached") }
        return .lane(lane, .batch(isAnswer: isAnswer, reached: reached, try reader.raw(reader.remaining)))
    }
}
