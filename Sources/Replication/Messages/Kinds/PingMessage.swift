import OperationLog

/// ``PeerMessage/ping(_:)`` as bytes.
enum PingMessage {
    static let kind: UInt8 = 12

    static func write(_ number: UInt64, to writer: inout CanonicalWriter) {
        writer.write(byte: kind)
        writer.write(number: number)
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        .ping(try reader.number())
    }
}
