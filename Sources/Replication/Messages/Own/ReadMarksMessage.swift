import OperationLog

extension PeerMessage {
    /// Chains of which one message says how far the user has read them.
    public static let maximumReadMarks = 4_096
}

/// ``OwnMessage/readMarks(_:)`` as bytes.
enum ReadMarksMessage: MessageKind {
    static let kind: UInt8 = 35
    static let purpose = MessagePurpose.ownDevices
    static let circle = MessageCircle.ownDevices

    static func limits(isOutside: Bool) -> [RateLimit] { [KeysWantedMessage.limit] }

    static func write(
        _ lane: PeerMessage.LaneSlot, _ marks: [PeerMessage.ReadMark], to writer: inout CanonicalWriter
    ) {
        writer.write(byte: kind)
        writer.write(lane)
        writer.write(count: marks.count)
        for mark in marks {
            writer.write(mark.device)
            writer.write(number: mark.sequenceNumber)
        }
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        let lane = try reader.laneSlot()
        var marks: [PeerMessage.ReadMark] = []
        for _ in 0..<(try reader.count(of: "read marks", limit: PeerMessage.maximumReadMarks, each: 33)) {
            let device: DeviceID = try reader.identifier()
            if let last = marks.last, last.device >= device { throw .unsorted(field: "read marks") }
            let number = try reader.number()
            guard (1...Limits.maximumSequenceNumber).contains(number) else { throw .invalid(field: "read mark") }
            marks.append(.init(device: device, sequenceNumber: number))
        }
        return .conversation(lane, .own(.readMarks(marks)))
    }
}
