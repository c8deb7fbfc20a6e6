import OperationLog

extension PeerMessage {
    /// What an entry of a decoded list takes in memory besides its bytes, where that is far more than on the way.
    static let entryOverhead = 64
    /// The first byte of a message that carries a batch.
    public static let batchKind = BatchMessage.kind
    /// The first byte of a message that carries a chunk.
    public static let chunkKind = ChunkMessage.kind

    /// The kinds by their first byte; nil for one that only a later version knows.
    private static let kinds: [(any MessageKind.Type)?] = {
        let families = [
            PeopleMessage.kinds, CardMessage.kinds, PresenceMessage.kinds, SharingMessage.kinds, LaneMessage.kinds,
            [CreditMessage.self], ConversationMessage.kinds, FileMessage.kinds, PrivateMessage.kinds,
        ]
        var kinds = [(any MessageKind.Type)?](repeating: nil, count: 256)
        for kind in families.joined() { kinds[Int(kind.kind)] = kind }
        return kinds
    }()

    /// The kind that a first byte names; nil for one that only a later version knows.
    static func kind(_ byte: UInt8) -> (any MessageKind.Type)? { kinds[Int(byte)] }

    /// Reads a message; every other encoding is refused.
    public init(decoding bytes: [UInt8]) throws(MalformedBytes) {
        var reader = CanonicalReader(bytes)
        guard let kind = Self.kind(try reader.byte()) else { throw .invalid(field: "message kind") }
        self = try kind.read(&reader)
        try reader.finish()
    }

    /// The bytes of the message.
    public var encoded: [UInt8] {
        var writer = CanonicalWriter(capacity: max(256, payloadByteCount + 40))
        switch self {
        case .people(let message): message.write(to: &writer)
        case .cards(let message): message.write(to: &writer)
        case .presence(let message): message.write(to: &writer)
        case .sharing(let message): message.write(to: &writer)
        case .lane(let lane, let message): message.write(lane, to: &writer)
        case .statuses(let slot, let membership, let content):
            StatusMessage.write(slot: slot, membership: membership, content: content, to: &writer)
        case .credit(let bytes): CreditMessage.write(bytes, to: &writer)
        case .conversation(let lane, let message): message.write(lane, to: &writer)
        case .files(let message): message.write(to: &writer)
        case .privateState(let message): message.write(to: &writer)
        }
        return writer.bytes
    }

    /// Bytes of the batch or the chunk that it carries: its encoding is written into one piece of memory.
    private var payloadByteCount: Int {
        switch self {
        case .lane(_, .batch(_, _, let bytes)), .files(.chunk(_, let bytes)): bytes.count
        default: 0
        }
    }

    /// How many entries its list has, where such are counted: ``RateLimit``.
    var entryCount: Int {
        switch self {
        case .people(let message): message.entryCount
        case .cards(let message): message.entryCount
        case .presence(let message): message.entryCount
        case .conversation(_, let message): message.entryCount
        case .privateState(let message): message.entryCount
        case .sharing, .lane, .statuses, .credit, .files: 0
        }
    }

    /// Bytes that its list takes in memory besides those on the way.
    var weight: Int {
        switch self {
        case .lane(_, let message): message.weight
        case .privateState(let message): message.weight
        default: entryCount * Self.entryOverhead
        }
    }
}
