import Cryptography
import OperationLog
import OperationLogFixtures
import Replication

extension Example {
    /// The messages by which members pass on cards.
    static var cards: [Example] {
        guard
            let card = ProfileCard(
                root: Cast.alice.root, version: 3, name: "Alice", photo: [], identity: Cast.aliceRecord)
        else {
            return []
        }
        let held = [CardVersion(of: card)]
        let plain = PeerMessage.cards(.versions(CardPart(of: held, after: nil))).encoded
        return [
            accepted(.peerMessage, "card-digest", PeerMessage.cards(.digest(CardDigest(of: held))).encoded),
            accepted(.peerMessage, "card-versions", plain),
            accepted(
                .peerMessage, "card-versions-of-nobody-above",
                PeerMessage.cards(.versions(CardPart(of: [], after: card.user))).encoded),
            accepted(.peerMessage, "cards", PeerMessage.cards(.cards([card.encoded])).encoded),
            refused(.peerMessage, "truncated", "card-digest-of-15-bytes", [28] + Array(repeating: 7, count: 15)),
            refused(.peerMessage, "invalid_value", "card-versions-of-nobody-before-others", [29, 0, 0, 0]),
            refused(
                .peerMessage, "unsorted", "card-version-that-the-part-before-had",
                [29, 1] + card.user.digest.bytes + plain.dropFirst(2)),
            refused(.peerMessage, "truncated", "512-card-versions-that-are-not-there", [29, 0, 1, 0x80, 4]),
            refused(.peerMessage, "too_long", "513-card-versions", [29, 0, 1, 0x81, 4]),
            refused(.peerMessage, "too_long", "33-cards", [30, 33]),
            refused(.peerMessage, "too_long", "card-above-the-limit", [30, 1] + length(ProfileCard.maximumBytes + 1)),
        ]
    }

    private static func length(_ count: Int) -> [UInt8] { wire { $0.write(count: count) } }
}
