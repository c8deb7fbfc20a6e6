import OperationLog

extension PeerMessage {
    /// Tombstones that one message may carry.
    public static let maximumTombstones = 256
}

/// ``PeerMessage/tombstones(_:)`` as bytes.
enum TombstonesMessage {
    static let kind: UInt8 = 38

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
        return .tombstones(tombstones)
    }
}
