import OperationLog

extension PeerMessage {
    /// Chains a message may describe.
    public static let maximumChains = 4_096
    /// Ends of branches that a message may name, of all chains together.
    public static let maximumBranches = 65_536
    /// Ends of branches in a message that its sender aims for; a single chain may have more.
    public static let targetTipCount = 4_096
}

/// ``LaneMessage/chains(isWanted:_:)`` as bytes.
enum ChainsMessage: MessageKind {
    static let kind: UInt8 = 6
    static let purpose = MessagePurpose.comparison
    static let circle = MessageCircle.acquaintances
    /// Those of somebody outside, and their questions, each of which costs a look at all that was decided.
    static let ofOutsiders = RateLimit(of: kind, burst: 512, every: .milliseconds(100))

    static func limits(isOutside: Bool) -> [RateLimit] { isOutside ? [ofOutsiders] : [] }

    static func write(_ lane: PeerMessage.LaneSlot, isWanted: Bool, _ part: ChainPart, to writer: inout CanonicalWriter)
    {
        writer.write(byte: kind)
        writer.write(lane)
        writer.write(byte: isWanted ? 1 : 0)
        writer.write(byte: part.after == nil ? 0 : 1)
        if let after = part.after { writer.write(after) }
        writer.write(byte: part.isLast ? 1 : 0)
        writer.write(count: part.chains.count)
        for chain in part.chains {
            writer.write(chain.device)
            writer.write(count: chain.tips.count)
            for tip in chain.tips {
                writer.write(number: tip.sequenceNumber)
                writer.write(tip.id)
            }
        }
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        .lane(try reader.laneSlot(), .chains(isWanted: try reader.flag(), try reader.chainPart()))
    }
}

extension CanonicalReader {
    fileprivate mutating func chainPart() throws(MalformedBytes) -> ChainPart {
        let after: DeviceID? = try flag() ? try identifier() : nil
        let isLast = try flag()
        var last = after
        var chains: [PeerMessage.ChainEntry] = []
        var room = PeerMessage.maximumBranches
        for _ in 0..<(try count(of: "chains", limit: PeerMessage.maximumChains, each: 66)) {
            let device: DeviceID = try identifier()
            if let last, last >= device { throw .unsorted(field: "chains") }
            last = device
            var tips: [ChainTip] = []
            for _ in 0..<(try count(of: "tips", limit: room, each: 33)) {
                let tip = ChainTip(sequenceNumber: try number(), id: try identifier())
                if let last = tips.last, last >= tip { throw .unsorted(field: "tips") }
                tips.append(tip)
            }
            guard !tips.isEmpty else { throw .invalid(field: "tips") }
            room -= tips.count
            chains.append(PeerMessage.ChainEntry(device: device, tips: tips))
        }
        // Else it would speak of nobody, and the next part of the same.
        guard isLast || !chains.isEmpty else { throw .invalid(field: "chains") }
        return ChainPart(after: after, chains: chains, isLast: isLast)
    }
}
