import OperationLog

/// ``PeerMessage/unreachable(_:)`` as bytes.
enum UnreachableMessage {
    static let kind: UInt8 = 31

    static func write(_ device: DeviceID, to writer: inout CanonicalWriter) {
        writer.write(byte: kind)
        writer.write(device)
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        .unreachable(try reader.identifier())
    }
}
