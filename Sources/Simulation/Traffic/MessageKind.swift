import OperationLog
import Replication

/// The kinds of messages between peers, by their first byte.
///
/// `Tests/SimulationTests` holds it against ``PeerMessage/kinds``, so that a new kind gets its name here and is counted by it.
enum MessageKind: UInt8, Hashable, Sendable, CaseIterable {
    case hello = 1
    case tags, announce, status, frontier, chains, chainsRequest, want, batch, done, credit, ping, pong,
        addresses, bodiesWanted, bodies, receiptDigest, receiptVersions, receipts, typing, proof, refusal, blobWanted,
        blobHeld, chunksWanted, chunk, photoWanted, cardDigest, cardVersions, cards,
        unreachable, parting, keysWanted, keys, readMarks, reachabilityWanted, reachability,
        tombstones, privateDigest, privateSummary, privateVersions, privateStates, opened, retention

    /// What it is sent for.
    var purpose: TrafficPurpose {
        switch self {
        case .batch: .operations
        case .status, .frontier, .chains, .chainsRequest, .want, .done, .credit: .comparison
        case .receiptDigest, .receiptVersions, .receipts: .receipts
        case .ping, .pong, .unreachable, .reachabilityWanted, .reachability: .liveness
        case .bodiesWanted, .bodies: .bodies
        case .blobWanted, .blobHeld, .chunksWanted, .chunk, .photoWanted: .files
        case .typing: .typing
        case .hello, .tags, .announce, .addresses, .proof, .refusal, .cardDigest, .cardVersions, .cards,
            .parting, .tombstones:
            .acquaintance
        case .keysWanted, .keys, .readMarks, .privateDigest, .privateSummary, .privateVersions, .privateStates, .opened,
            .retention:
            .ownDevices
        }
    }

    /// Whether it begins with a lane of a conversation, or with both, and is sent for both lanes.
    fileprivate var isOfLane: Bool {
        switch self {
        case .status, .frontier, .chains, .chainsRequest, .want, .batch, .done: true
        case .hello, .tags, .announce, .credit, .ping, .pong, .addresses, .bodiesWanted, .bodies, .receiptDigest,
            .receiptVersions, .receipts, .typing, .proof, .refusal, .blobWanted, .blobHeld, .chunksWanted, .chunk,
            .photoWanted, .cardDigest, .cardVersions, .cards, .unreachable, .parting, .keysWanted, .keys, .readMarks,
            .reachabilityWanted, .reachability, .tombstones, .privateDigest, .privateSummary, .privateVersions,
            .privateStates, .opened, .retention:
            false
        }
    }
}

/// What messages are sent for.
package enum TrafficPurpose: String, Hashable, Sendable, CaseIterable {
    /// They carry operations.
    case operations
    /// They compare what two nodes hold: anti-entropy.
    case comparison
    /// They say who received and read what.
    case receipts
    /// They ask whether somebody is there.
    case liveness
    /// They carry bodies whose headers came before.
    case bodies
    /// They carry files.
    case files
    /// They say who types.
    case typing
    /// They say who and where people are, and what they share.
    case acquaintance
    /// They bring keys, read marks and private state to other devices of a user.
    case ownDevices
    /// Only a later version knows them.
    case unknown
}

/// What a message is, as far as its first bytes tell.
package struct TrafficKind: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The first byte.
    private let byte: UInt8
    /// The lane it is about, where its kind is sent for both; nil where it is about both at once.
    private let lane: Lane?
    /// Whether it is a batch that somebody asked for.
    private let isAnswer: Bool

    /// Looks at the beginning of a message.
    init(of message: [UInt8]) {
        byte = message.first ?? 0
        guard let kind = MessageKind(rawValue: byte), kind.isOfLane else {
            (lane, isAnswer) = (nil, false)
            return
        }
        var reader = CanonicalReader(Array(message.dropFirst().prefix(12)))
        let slot = try? reader.count(of: "slot", limit: 1 << 20)
        lane = slot == nil ? nil : (try? reader.byte()).flatMap(Lane.init)
        isAnswer = kind == .batch && (try? reader.byte()) == 1
    }

    /// What it is sent for.
    package var purpose: TrafficPurpose { MessageKind(rawValue: byte)?.purpose ?? .unknown }

    /// `status of content`, `batch of membership, asked for`, `ping`.
    package var description: String {
        let kind = MessageKind(rawValue: byte)
        let name = kind.map { "\($0)" } ?? "kind \(byte)"
        let place = lane.map { " of \($0)" } ?? (kind?.isOfLane == true ? " of both lanes" : "")
        return name + place + (isAnswer ? ", asked for" : "")
    }

    /// By the first byte, then the lane and then both lanes, then what nobody asked for first.
    package static func < (left: TrafficKind, right: TrafficKind) -> Bool {
        (left.byte, left.lane?.rawValue ?? .max, left.isAnswer ? 1 : 0)
            < (right.byte, right.lane?.rawValue ?? .max, right.isAnswer ? 1 : 0)
    }
}
