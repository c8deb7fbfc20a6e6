import OperationLog

/// ``PeerMessage/pong(_:)`` as bytes.
enum PongMessage {
    static let kind: UInt8 = 13

    static func write(_ number: UInt64, to writer: inout CanonicalWriter) {
        writer.write(byte: kind)
        writer.write(number: number)
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        .pong(try reader.number())
    }
}
