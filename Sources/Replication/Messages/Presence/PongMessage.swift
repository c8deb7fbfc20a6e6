import OperationLog

/// ``PresenceMessage/pong(_:)`` as bytes.
enum PongMessage: MessageKind {
    static let kind: UInt8 = 13
    static let purpose = MessagePurpose.liveness
    static let circle = MessageCircle.anybody

    static func write(_ number: UInt64, to writer: inout CanonicalWriter) {
        writer.write(byte: kind)
        writer.write(number: number)
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        .presence(.pong(try reader.number()))
    }
}
