import OperationLog
import Time

/// A profile card and when it was last shown to this node.
public struct SeenProfile: Hashable, Sendable {
    /// The card.
    public let card: ProfileCard
    /// When its owner last connected, by this node's clock; `earliest` if they never did, and others passed the card
    /// on.
    public let seenAt: Timestamp

    /// Notes when a card was seen.
    public init(card: ProfileCard, seenAt: Timestamp) {
        self.card = card
        self.seenAt = seenAt
    }
}
