import OperationLog

/// ``LaneMessage/frontier(isWanted:digest:chainList:sequenceNumbers:)`` as bytes.
enum FrontierMessage: MessageKind {
    static let kind: UInt8 = 5
    static let purpose = MessagePurpose.comparison
    static let circle = MessageCircle.acquaintances

    static func limits(isOutside: Bool) -> [RateLimit] { isOutside ? [ChainsRequestMessage.questions] : [] }

    static func write(
        _ lane: PeerMessage.LaneSlot, isWanted: Bool, digest: LaneDigest, chainList: LaneDigest,
        numbers: [UInt64],
        to writer: inout CanonicalWriter
    ) {
        writer.write(byte: kind)
        writer.write(lane)
        writer.write(byte: isWanted ? 1 : 0)
        writer.write(raw: digest.bytes)
        writer.write(raw: chainList.bytes)
        writer.write(count: numbers.count)
        for number in numbers { writer.write(number: number) }
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        let lane = try reader.laneSlot()
        let isWanted = try reader.flag()
        let digest = try reader.laneDigest()
        let chainList = try reader.laneDigest()
        var numbers: [UInt64] = []
        for _ in 0..<(try reader.count(of: "chains", limit: PeerMessage.maximumChains, each: 1)) {
            numbers.append(try reader.number())
        }
        return .lane(
            lane, .frontier(isWanted: isWanted, digest: digest, chainList: chainList, sequenceNumbers: numbers))
    }
}
