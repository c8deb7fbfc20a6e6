import OperationLog

/// ``PeerMessage/reachabilityWanted(_:)`` as bytes.
enum ReachabilityWantedMessage {
    static let kind: UInt8 = 36

    static func write(_ question: UInt64, to writer: inout CanonicalWriter) {
        writer.write(byte: kind)
        writer.write(number: question)
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        .reachabilityWanted(try reader.number())
    }
}
