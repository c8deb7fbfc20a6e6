import OperationLog

/// ``PeerMessage/credit(_:)`` as bytes.
enum CreditMessage: MessageKind {
    static let kind: UInt8 = 11
    static let purpose = MessagePurpose.comparison
    static let circle = MessageCircle.anybody

    static func write(_ bytes: Int, to writer: inout CanonicalWriter) {
        writer.write(byte: kind)
        writer.write(count: bytes)
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        .credit(try reader.count(of: "credit", limit: SecureChannel.maximumMessageBytes))
    }
}
