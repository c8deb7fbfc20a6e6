import OperationLog

/// ``PrivateMessage/versions(_:)`` as bytes.
enum PrivateVersionsMessage: MessageKind {
    static let kind: UInt8 = 41
    static let purpose = MessagePurpose.ownDevices
    static let circle = MessageCircle.ownDevices
    /// Each is answered with up to 1 MiB.
    private static let limit = RateLimit(of: kind, burst: 64, every: .seconds(1))

    static func limits(isOutside: Bool) -> [RateLimit] { [limit] }

    static func write(_ versions: PrivateVersions, to writer: inout CanonicalWriter) {
        writer.write(byte: kind)
        versions.write(to: &writer)
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        .privateState(.versions(try PrivateVersions(from: &reader)))
    }
}
