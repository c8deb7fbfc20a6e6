import OperationLog

/// ``PeopleMessage/parting`` as bytes.
enum PartingMessage: MessageKind {
    static let kind: UInt8 = 32
    static let purpose = MessagePurpose.acquaintance
    static let circle = MessageCircle.anybody

    static func write(to writer: inout CanonicalWriter) { writer.write(byte: kind) }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage { .people(.parting) }
}
