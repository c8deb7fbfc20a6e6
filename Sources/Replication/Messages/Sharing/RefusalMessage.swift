import OperationLog

/// ``SharingMessage/refusal(_:_:)`` as bytes.
enum RefusalMessage: MessageKind {
    static let kind: UInt8 = 22
    static let purpose = MessagePurpose.acquaintance
    static let circle = MessageCircle.anybody

    static func write(_ reason: InviteRefusal, of invite: OperationID, to writer: inout CanonicalWriter) {
        writer.write(byte: kind)
        writer.write(invite)
        writer.write(byte: reason.rawValue)
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        let invite: OperationID = try reader.identifier()
        guard let reason = InviteRefusal(rawValue: try reader.byte()) else { throw .invalid(field: "refusal") }
        return .sharing(.refusal(invite, reason))
    }
}
