import OperationLog

/// ``LaneMessage/want(_:)`` as bytes.
enum WantMessage: MessageKind {
    static let kind: UInt8 = 8
    static let purpose = MessagePurpose.comparison
    static let circle = MessageCircle.anybody

    static func limits(isOutside: Bool) -> [RateLimit] {
        isOutside ? [ChainsMessage.ofOutsiders] : [ChainsRequestMessage.questions]
    }

    static func write(_ lane: PeerMessage.LaneSlot, _ chains: [DeviceID: KnownChain], to writer: inout CanonicalWriter)
    {
        writer.write(byte: kind)
        writer.write(lane)
        writer.write(count: chains.count)
        for (device, known) in chains.sorted(by: { $0.key < $1.key }) {
            writer.write(device)
            switch known {
            case .through(let number):
                writer.write(byte: 0)
                writer.write(number: number)
            case .branches(let tips):
                writer.write(byte: 1)
                writer.write(ascending: tips.sorted())
            }
        }
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        .lane(try reader.laneSlot(), .want(try reader.knownChains()))
    }
}

extension CanonicalReader {
    fileprivate mutating func knownChains() throws(MalformedBytes) -> [DeviceID: KnownChain] {
        var chains: [DeviceID: KnownChain] = [:]
        var last: DeviceID?
        var room = PeerMessage.maximumBranches
        for _ in 0..<(try count(of: "chains", limit: PeerMessage.maximumChains, each: 34)) {
            let device: DeviceID = try identifier()
            if let last, last >= device { throw .unsorted(field: "chains") }
            last = device
            switch try byte() {
            case 0: chains[device] = .through(try number())
            case 1:
                let ends: [OperationID] = try ascending(of: "branches", limit: room)
                room -= ends.count
                chains[device] = .branches(ends)
            default: throw .invalid(field: "known chain")
            }
        }
        return chains
    }
}
