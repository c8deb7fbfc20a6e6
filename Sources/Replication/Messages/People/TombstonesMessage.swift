import OperationLog

extension PeerMessage {
    /// Tombstones that one message may carry.
    public static let maximumTombstones = 256
}

/// ``PeopleMessage/tombstones(_:)`` as bytes.
enum TombstonesMessage: MessageKind {
    static let kind: UInt8 = 38
    static let purpose = MessagePurpose.acquaintance
    static let circle = MessageCircle.acquaintances
    /// Each may cost a signature check and a commit; of one user there are at most 256.
    private static let limit = RateLimit(of: kind, burst: 1 << 14, every: .milliseconds(10), counts: .entries)

    static func limits(isOutside: Bool) -> [RateLimit] { [limit] }

    static func write(_ tombstones: [[UInt8]], to writer: inout CanonicalWriter) {
        writer.write(byte: kind)
        writer.write(count: tombstones.count)
        for tombstone in tombstones { writer.write(raw: tombstone) }
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        let limit = PeerMessage.maximumTombstones
        let count = try reader.count(of: "tombstones", limit: limit, each: Tombstone.byteCount)
        guard count > 0 else { throw .invalid(field: "tombstones") }
        var tombstones: [[UInt8]] = []
        for _ in 0..<count { tombstones.append(try reader.raw(Tombstone.byteCount)) }
        return .people(.tombstones(tombstones))
    }
}
