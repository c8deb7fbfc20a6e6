import OperationLog

/// What is said of one lane of a conversation, to make it equal.
public enum LaneMessage: Hashable, Sendable {
    /// What we hold, as a digest (T0).
    case status(LaneDigest)
    /// What we hold, as sequence numbers of chains in the order of their devices (T2).
    case frontier(isWanted: Bool, digest: LaneDigest, chainList: LaneDigest, sequenceNumbers: [UInt64])
    /// What we hold of a part of the lane, every chain with its tips.
    case chains(isWanted: Bool, ChainPart)
    /// Asks for ``chains(isWanted:_:)``.
    case chainsRequest
    /// Asks for what follows of some chains.
    case want([DeviceID: KnownChain])
    /// Operations. What is pushed names the readers of its view whom its author reaches, a bit for each; an answer
    /// names nobody.
    case batch(isAnswer: Bool, reached: [UInt8] = [], [UInt8])
    /// The answer to a frontier or a want is complete.
    case done

    static let kinds: [any MessageKind.Type] = [
        StatusMessage.self, FrontierMessage.self, ChainsMessage.self, ChainsRequestMessage.self, WantMessage.self,
        BatchMessage.self, DoneMessage.self,
    ]

    func write(_ lane: PeerMessage.LaneSlot, to writer: inout CanonicalWriter) {
        switch self {
        case .status(let digest): StatusMessage.write(lane, digest, to: &writer)
        case .frontier(let isWanted, let digest, let list, let numbers):
            FrontierMessage.write(
                lane, isWanted: isWanted, digest: digest, chainList: list, numbers: numbers, to: &writer)
        case .chains(let isWanted, let part): ChainsMessage.write(lane, isWanted: isWanted, part, to: &writer)
        case .chainsRequest: ChainsRequestMessage.write(lane, to: &writer)
        case .want(let chains): WantMessage.write(lane, chains, to: &writer)
        case .batch(let isAnswer, let reached, let bytes):
            BatchMessage.write(lane, isAnswer: isAnswer, reached: reached, bytes, to: &writer)
        case .done: DoneMessage.write(lane, to: &writer)
        }
    }

    /// Bytes that its list takes in memory besides those on the way.
    var weight: Int {
        switch self {
        // A number takes a byte or more on the way.
        case .frontier(_, _, _, let numbers): numbers.count * MemoryLayout<UInt64>.stride
        case .chains(_, let part): part.chains.count * PeerMessage.entryOverhead
        case .want(let chains): chains.count * PeerMessage.entryOverhead
        case .status, .chainsRequest, .batch, .done: 0
        }
    }
}
