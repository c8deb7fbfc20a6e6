import OperationLog

/// ``BodyMessage/found(_:)`` as bytes.
enum BodiesMessage: MessageKind {
    static let kind: UInt8 = 16
    static let purpose = MessagePurpose.bodies
    static let circle = MessageCircle.acquaintances

    static func write(_ lane: PeerMessage.LaneSlot, _ bodies: [PeerMessage.Body], to writer: inout CanonicalWriter) {
        writer.write(byte: kind)
        writer.write(lane)
        writer.write(count: bodies.count)
        for body in bodies {
            writer.write(body.operation)
            writer.write(data: body.bytes)
        }
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        let lane = try reader.laneSlot()
        var bodies: [PeerMessage.Body] = []
        for _ in 0..<(try reader.count(of: "bodies", limit: PeerMessage.maximumBodies, each: 33)) {
            let operation: OperationID = try reader.identifier()
            if let last = bodies.last, last.operation >= operation { throw .unsorted(field: "bodies") }
            bodies.append(
                .init(operation: operation, bytes: try reader.data(of: "body", limit: Limits.maximumBodyBytes)))
        }
        return .conversation(lane, .bodies(.found(bodies)))
    }
}
