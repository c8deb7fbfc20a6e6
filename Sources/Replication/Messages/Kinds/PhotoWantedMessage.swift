import OperationLog

/// ``PeerMessage/photoWanted(_:)`` as bytes.
enum PhotoWantedMessage {
    static let kind: UInt8 = 27

    static func write(_ user: UserID, to writer: inout CanonicalWriter) {
        writer.write(byte: kind)
        writer.write(user)
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        .photoWanted(try reader.identifier())
    }
}
