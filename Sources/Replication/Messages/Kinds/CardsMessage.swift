import OperationLog

extension PeerMessage {
    /// Cards in one message: verifying them makes others wait for some milliseconds.
    public static let maximumCards = 32
}

/// ``PeerMessage/cards(_:)`` as bytes.
enum CardsMessage {
    static let kind: UInt8 = 30

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
        return .cards(cards)
    }
}
