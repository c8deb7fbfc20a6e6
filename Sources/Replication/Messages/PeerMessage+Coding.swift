import OperationLog

extension PeerMessage {
    /// The first bytes of the messages of this version; others are passed over.
    public static let kinds: ClosedRange<UInt8> = 1...44
    /// The first byte of a message that carries a batch.
    public static let batchKind = BatchMessage.kind
    /// The first byte of a message that carries a chunk.
    public static let chunkKind = ChunkMessage.kind

    /// Reads a message; every other encoding is refused. Each kind has a file, with its kind, its limits and its bytes.
    public init(decoding bytes: [UInt8]) throws(MalformedBytes) {
        var reader = CanonicalReader(bytes)
        switch try reader.byte() {
        case HelloMessage.kind: self = try HelloMessage.read(&reader)
        case TagsMessage.kind: self = try TagsMessage.read(&reader)
        case AnnounceMessage.kind: self = try AnnounceMessage.read(&reader)
        case StatusMessage.kind: self = try StatusMessage.read(&reader)
        case FrontierMessage.kind: self = try FrontierMessage.read(&reader)
        case ChainsMessage.kind: self = try ChainsMessage.read(&reader)
        case ChainsRequestMessage.kind: self = try ChainsRequestMessage.read(&reader)
        case WantMessage.kind: self = try WantMessage.read(&reader)
        case BatchMessage.kind: self = try BatchMessage.read(&reader)
        case DoneMessage.kind: self = try DoneMessage.read(&reader)
        case CreditMessage.kind: self = try CreditMessage.read(&reader)
        case PingMessage.kind: self = try PingMessage.read(&reader)
        case PongMessage.kind: self = try PongMessage.read(&reader)
        case AddressesMessage.kind: self = try AddressesMessage.read(&reader)
        case BodiesWantedMessage.kind: self = try BodiesWantedMessage.read(&reader)
        case BodiesMessage.kind: self = try BodiesMessage.read(&reader)
        case ReceiptDigestMessage.kind: self = try ReceiptDigestMessage.read(&reader)
        case ReceiptVersionsMessage.kind: self = try ReceiptVersionsMessage.read(&reader)
        case ReceiptsMessage.kind: self = try ReceiptsMessage.read(&reader)
        case TypingMessage.kind: self = try TypingMessage.read(&reader)
        case ProofMessage.kind: self = try ProofMessage.read(&reader)
        case RefusalMessage.kind: self = try RefusalMessage.read(&reader)
        case BlobWantedMessage.kind: self = try BlobWantedMessage.read(&reader)
        case BlobHeldMessage.kind: self = try BlobHeldMessage.read(&reader)
        case ChunksWantedMessage.kind: self = try ChunksWantedMessage.read(&reader)
        case ChunkMessage.kind: self = try ChunkMessage.read(&reader)
        case PhotoWantedMessage.kind: self = try PhotoWantedMessage.read(&reader)
        case CardDigestMessage.kind: self = try CardDigestMessage.read(&reader)
        case CardVersionsMessage.kind: self = try CardVersionsMessage.read(&reader)
        case CardsMessage.kind: self = try CardsMessage.read(&reader)
        case UnreachableMessage.kind: self = try UnreachableMessage.read(&reader)
        case PartingMessage.kind: self = try PartingMessage.read(&reader)
        case KeysWantedMessage.kind: self = try KeysWantedMessage.read(&reader)
        case KeysMessage.kind: self = try KeysMessage.read(&reader)
        case ReadMarksMessage.kind: self = try ReadMarksMessage.read(&reader)
        case ReachabilityWantedMessage.kind: self = try ReachabilityWantedMessage.read(&reader)
        case ReachabilityMessage.kind: self = try ReachabilityMessage.read(&reader)
        case TombstonesMessage.kind: self = try TombstonesMessage.read(&reader)
        case PrivateDigestMessage.kind: self = try PrivateDigestMessage.read(&reader)
        case PrivateSummaryMessage.kind: self = try PrivateSummaryMessage.read(&reader)
        case PrivateVersionsMessage.kind: self = try PrivateVersionsMessage.read(&reader)
        case PrivateStatesMessage.kind: self = try PrivateStatesMessage.read(&reader)
        case OpenedMessage.kind: self = try OpenedMessage.read(&reader)
        case RetentionMessage.kind: self = try RetentionMessage.read(&reader)
        default: throw .invalid(field: "message kind")
        }
        try reader.finish()
    }

    /// The bytes of the message.
    public var encoded: [UInt8] {
        var writer = CanonicalWriter(capacity: max(256, payloadByteCount + 40))
        switch self {
        case .hello(let epoch, let port, let introduction):
            HelloMessage.write(epoch: epoch, port: port, introduction: introduction, to: &writer)
        case .tags(let tags): TagsMessage.write(tags, to: &writer)
        case .announce(let conversation, let root): AnnounceMessage.write(conversation, root, to: &writer)
        case .status(let lane, let digest): StatusMessage.write(lane, digest, to: &writer)
        case .statuses(let slot, let membership, let content):
            StatusMessage.write(slot: slot, membership: membership, content: content, to: &writer)
        case .frontier(let lane, let isWanted, let digest, let list, let numbers):
            FrontierMessage.write(
                lane, isWanted: isWanted, digest: digest, chainList: list, numbers: numbers, to: &writer)
        case .chains(let lane, let isWanted, let part): ChainsMessage.write(lane, isWanted: isWanted, part, to: &writer)
        case .chainsRequest(let lane): ChainsRequestMessage.write(lane, to: &writer)
        case .want(let lane, let chains): WantMessage.write(lane, chains, to: &writer)
        case .batch(let lane, let isAnswer, let reached, let bytes):
            BatchMessage.write(lane, isAnswer: isAnswer, reached: reached, bytes, to: &writer)
        case .done(let lane): DoneMessage.write(lane, to: &writer)
        case .credit(let bytes): CreditMessage.write(bytes, to: &writer)
        case .ping(let number): PingMessage.write(number, to: &writer)
        case .pong(let number): PongMessage.write(number, to: &writer)
        case .addresses(let addresses): AddressesMessage.write(addresses, to: &writer)
        case .bodiesWanted(let lane, let ids): BodiesWantedMessage.write(lane, ids, to: &writer)
        case .bodies(let lane, let bodies): BodiesMessage.write(lane, bodies, to: &writer)
        case .receiptDigest(let lane, let digest): ReceiptDigestMessage.write(lane, digest, to: &writer)
        case .receiptVersions(let lane, let versions): ReceiptVersionsMessage.write(lane, versions, to: &writer)
        case .receipts(let lane, let receipts, let absent):
            ReceiptsMessage.write(lane, receipts, absent: absent, to: &writer)
        case .typing(let lane, let signal): TypingMessage.write(lane, signal, to: &writer)
        case .proof(let tag, let invite, let proof): ProofMessage.write(tag, of: invite, proof, to: &writer)
        case .refusal(let invite, let reason): RefusalMessage.write(reason, of: invite, to: &writer)
        case .blobWanted(let lane, let operation): BlobWantedMessage.write(lane, operation, to: &writer)
        case .blobHeld(let root, let bits): BlobHeldMessage.write(root, bits, to: &writer)
        case .chunksWanted(let root, let indices): ChunksWantedMessage.write(root, indices, to: &writer)
        case .chunk(let root, let bytes): ChunkMessage.write(root, bytes, to: &writer)
        case .photoWanted(let user): PhotoWantedMessage.write(user, to: &writer)
        case .cardDigest(let digest): CardDigestMessage.write(digest, to: &writer)
        case .cardVersions(let part): CardVersionsMessage.write(part, to: &writer)
        case .cards(let cards): CardsMessage.write(cards, to: &writer)
        case .unreachable(let device): UnreachableMessage.write(device, to: &writer)
        case .parting: PartingMessage.write(to: &writer)
        case .own(let lane, let word): word.write(lane, to: &writer)
        case .privateState(let word): word.write(to: &writer)
        case .reachabilityWanted(let question): ReachabilityWantedMessage.write(question, to: &writer)
        case .reachability(let question, let report): ReachabilityMessage.write(question, report, to: &writer)
        case .tombstones(let tombstones): TombstonesMessage.write(tombstones, to: &writer)
        }
        return writer.bytes
    }

    /// Bytes of the batch or the chunk that it carries: its encoding is written into one piece of memory.
    private var payloadByteCount: Int {
        switch self {
        case .batch(_, _, _, let bytes), .chunk(_, let bytes): bytes.count
        case .hello, .tags, .announce, .status, .statuses, .frontier, .chains, .chainsRequest, .want, .done, .credit,
            .ping, .pong, .addresses, .bodiesWanted, .bodies, .receiptDigest, .receiptVersions, .receipts, .typing,
            .proof, .refusal, .blobWanted, .photoWanted, .blobHeld, .chunksWanted, .cardDigest, .cardVersions, .cards,
            .unreachable, .parting, .own, .privateState, .reachabilityWanted, .reachability, .tombstones:
            0
        }
    }
}
