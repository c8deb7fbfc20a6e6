import OperationLog

/// ``PeopleMessage/hello(replicaEpoch:port:_:)`` as bytes.
enum HelloMessage: MessageKind {
    static let kind: UInt8 = 1
    static let purpose = MessagePurpose.acquaintance
    static let circle = MessageCircle.anybody
    /// Introductions: each may cost ten signature checks, a commit, and a word to everybody else. What is above that
    /// waits: the newest of it.
    static let limit = RateLimit(of: kind, burst: 8, every: .seconds(2))

    static func write(epoch: [UInt8], port: UInt16, introduction: [UInt8], to writer: inout CanonicalWriter) {
        writer.write(byte: kind)
        writer.write(raw: epoch)
        writer.write(number: UInt64(port))
        writer.write(data: introduction)
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        let epoch = try reader.raw(16)
        let port = try reader.count(of: "port", limit: Int(UInt16.max))
        return .people(
            .hello(
                replicaEpoch: epoch, port: UInt16(port),
                try reader.data(of: "introduction", limit: Introduction.maximumBytes)))
    }
}
