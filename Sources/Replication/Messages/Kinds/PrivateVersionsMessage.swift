import OperationLog

/// ``PrivateWord/versions(_:)`` as bytes.
enum PrivateVersionsMessage {
    static let kind: UInt8 = 41

    static func write(_ versions: PrivateVersions, to writer: inout CanonicalWriter) {
        writer.write(byte: kind)
        versions.write(to: &writer)
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        .privateState(.versions(try PrivateVersions(from: &reader)))
    }
}
