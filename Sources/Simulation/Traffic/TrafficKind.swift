import OperationLog
import Replication

/// What a message is, as far as its first bytes tell.
package struct TrafficKind: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The first byte; 0 for an empty message.
    private let byte: UInt8
    /// The lane it is about, where its kind is sent for both; nil where it is about both at once.
    private let lane: Lane?
    /// Whether it is a batch that somebody asked for.
    private let isAnswer: Bool

    /// Looks at the beginning of a message.
    init(of message: [UInt8]) {
        byte = message.first ?? 0
        guard PeerMessageKind(byte)?.isOfLane == true else {
            (lane, isAnswer) = (nil, false)
            return
        }
        var reader = CanonicalReader(Array(message.dropFirst().prefix(12)))
        let slot = try? reader.count(of: "slot", limit: 1 << 20)
        lane = slot == nil ? nil : (try? reader.byte()).flatMap(Lane.init)
        isAnswer = byte == PeerMessage.batchKind && (try? reader.byte()) == 1
    }

    private var kind: PeerMessageKind? { PeerMessageKind(byte) }

    /// What it is sent for; nil if only a later version knows.
    package var purpose: MessagePurpose? { kind?.purpose }

    /// `status of content`, `batch of membership, asked for`, `ping`.
    package var description: String {
        let name = kind?.name ?? "kind \(byte)"
        let place = lane.map { " of \($0)" } ?? (kind?.isOfLane == true ? " of both lanes" : "")
        return name + place + (isAnswer ? ", asked for" : "")
    }

    /// By the first byte, then the lane and then both lanes, then what nobody asked for first.
    package static func < (left: TrafficKind, right: TrafficKind) -> Bool {
        (left.byte, left.lane?.rawValue ?? .max, left.isAnswer ? 1 : 0)
            < (right.byte, right.lane?.rawValue ?? .max, right.isAnswer ? 1 : 0)
    }
}
