import OperationLog

/// ``PeerMessage/cardVersions(_:)`` as bytes.
enum CardVersionsMessage {
    static let kind: UInt8 = 29

    static func write(_ part: CardPart, to writer: inout CanonicalWriter) {
        writer.write(byte: kind)
        part.write(to: &writer)
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        .cardVersions(try CardPart(from: &reader))
    }
}
