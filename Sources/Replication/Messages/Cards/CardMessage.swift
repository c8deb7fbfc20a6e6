import OperationLog

/// What is said of the cards of people whom two nodes share.
public enum CardMessage: Hashable, Sendable {
    /// What we hold, as a digest.
    case digest(CardDigest)
    /// What we hold of a part of them, by person: asks for those that are newer.
    case versions(CardPart)
    /// Cards, each as its owner signed it.
    case cards([[UInt8]])

    static let kinds: [any MessageKind.Type] = [
        CardDigestMessage.self, CardVersionsMessage.self, CardsMessage.self,
    ]

    func write(to writer: inout CanonicalWriter) {
        switch self {
        case .digest(let digest): CardDigestMessage.write(digest, to: &writer)
        case .versions(let part): CardVersionsMessage.write(part, to: &writer)
        case .cards(let cards): CardsMessage.write(cards, to: &writer)
        }
    }

    /// How many entries its list has.
    var entryCount: Int { if case .cards(let cards) = self { cards.count } else { 0 } }
}
