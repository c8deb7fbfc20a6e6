import OperationLog

/// What is true of every message of a kind: its number, what it is for, who may say it, what it may cost, and how it is
/// read.
///
/// Each kind has a file with this, its limits and its bytes. Nobody else keeps a list of kinds but the family that it
/// belongs to.
protocol MessageKind: Sendable {
    /// The first byte.
    static var kind: UInt8 { get }
    /// What it is sent for.
    static var purpose: MessagePurpose { get }
    /// Between whom it is said.
    static var circle: MessageCircle { get }

    /// How many of them a peer may send; nothing for what is an answer, or is measured by what it names.
    ///
    /// - Parameter isOutside: whether the peer is in the conversation of which it speaks no longer, or not yet.
    static func limits(isOutside: Bool) -> [RateLimit]

    /// Reads what follows the first byte.
    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage
}

extension MessageKind {
    /// Of most kinds any number: none is asked for but by this node, or an honest one says it seldom.
    static func limits(isOutside: Bool) -> [RateLimit] { [] }

    /// `chainsRequest` for `ChainsRequestMessage`.
    static var name: String {
        let type = String("\(Self.self)".dropLast("Message".count))
        return type.prefix(1).lowercased() + type.dropFirst()
    }
}

/// What messages are sent for.
public enum MessagePurpose: String, Hashable, Sendable, CaseIterable {
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
}

/// Between whom messages are said.
public enum MessageCircle: Hashable, Sendable {
    /// Between any two nodes: it tells nothing that strangers must not know.
    case anybody
    /// Between people who share something.
    case acquaintances
    /// Between devices of one user. From anybody else it is an offense.
    case ownDevices
}

/// A kind of message, for those who look at messages from outside.
public struct PeerMessageKind: Sendable {
    private let type: any MessageKind.Type

    /// All kinds, by their first byte.
    public static var all: [PeerMessageKind] { (0...UInt8.max).compactMap(PeerMessageKind.init) }

    /// The kind of messages with a first byte; nil for one that only a later version knows.
    public init?(_ byte: UInt8) {
        guard let type = PeerMessage.kind(byte) else { return nil }
        self.type = type
    }

    /// The first byte.
    public var byte: UInt8 { type.kind }
    /// What it is called in Protocol.md, in one word.
    public var name: String { type.name }
    /// What it is sent for.
    public var purpose: MessagePurpose { type.purpose }
    /// Between whom it is said.
    public var circle: MessageCircle { type.circle }
    /// Whether it is sent for one lane of a conversation, or for both.
    public var isOfLane: Bool { LaneMessage.kinds.contains { $0.kind == type.kind } }
}
