import OperationLog

/// ``FileMessage/photoWanted(_:)`` as bytes.
enum PhotoWantedMessage: MessageKind {
    static let kind: UInt8 = 27
    static let purpose = MessagePurpose.files
    static let circle = MessageCircle.anybody
    /// Questions about photos and files: no honest node asks more than 64 in a second.
    static let limit = RateLimit(of: kind, burst: 512, every: .milliseconds(12))

    static func limits(isOutside: Bool) -> [RateLimit] { [limit] }

    static func write(_ user: UserID, to writer: inout CanonicalWriter) {
        writer.write(byte: kind)
        writer.write(user)
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        .files(.photoWanted(try reader.identifier()))
    }
}
