import OperationLog

extension PeerMessage {
    /// Cards in one message: verifying them makes others wait for some milliseconds.
    public static let maximumCards = 32
}

/// ``CardMessage/cards(_:)`` as bytes.
enum CardsMessage: MessageKind {
    static let kind: UInt8 = 30
    static let purpose = MessagePurpose.acquaintance
    static let circle = MessageCircle.acquaintances
    /// Cards of others, each of which costs two signature checks.
    private static let limit = RateLimit(of: kind, burst: 1_024, every: .milliseconds(10), counts: .entries)

    static func limits(isOutside: Bool) -> [RateLimit] { [limit] }

    static func write(_ cards: [[UInt8]], to writer: inout CanonicalWriter) {
        writer.write(byte: kind)
        writer.write(count: cards.count)
        for card in cards { writer.write(data: card) }
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        var cards: [[UInt8]] = []
        for _ in 0..<(try reader.count(of: "cards", limit: PeerMessage.maximumCards, each: 1)) {
            cards.append(try reader.data(of: "profile card", limit: ProfileCard.maximumBytes))
        }
        return .cards(.cards(cards))
    }
}
