import Blobs
import Cryptography
import OperationLog

extension PeerMessage {
    /// Reads a message; every other encoding is refused.
    public init(decoding bytes: [UInt8]) throws(MalformedBytes) {
        var reader = CanonicalReader(bytes)
        switch try reader.byte() {
        case 1:
            let epoch = try reader.raw(16)
            let port = try reader.count(of: "port", limit: Int(UInt16.max))
            self = .hello(
                replicaEpoch: epoch, port: UInt16(port),
                try reader.data(of: "introduction", limit: Introduction.maximumBytes))
        case 2:
            var tags: [ConversationTag] = []
            for _ in 0..<(try reader.count(of: "tags", limit: Self.maximumListEntries, each: ConversationTag.byteCount))
            {
                tags.append(ConversationTag(bytes: try reader.raw(ConversationTag.byteCount)))
            }
            self = .tags(tags)
        case 3:
            let conversation: ConversationID = try reader.identifier()
            switch try reader.byte() {
            case 0: self = .announce(conversation, .group)
            case 1:
                let first: UserID = try reader.identifier()
                let second: UserID = try reader.identifier()
                guard first <= second, conversation == ConversationID(directBetween: first, and: second) else {
                    throw .invalid(field: "direct conversation")
                }
                self = .announce(conversation, .direct(first, second))
            default: throw .invalid(field: "root")
            }
        case 4:
            self = .status(try reader.laneSlot(), try reader.frontierDigest())
        case 5:
            let lane = try reader.laneSlot()
            let isWanted = try reader.flag()
            let chainList = try reader.frontierDigest()
            var numbers: [UInt64] = []
            for _ in 0..<(try reader.count(of: "chains", limit: Self.maximumChains, each: 1)) {
                numbers.append(try reader.number())
            }
            self = .frontier(lane, isWanted: isWanted, chainList: chainList, sequenceNumbers: numbers)
        case 6:
            self = .chains(try reader.laneSlot(), isWanted: try reader.flag(), try reader.chainPart())
        case 7:
            self = .chainsRequest(try reader.laneSlot())
        case 8:
            self = .want(try reader.laneSlot(), try reader.knownChains())
        case Self.batchKind:
            self = .batch(
                try reader.laneSlot(), isAnswer: try reader.flag(), try reader.raw(reader.remaining))
        case 10:
            self = .done(try reader.laneSlot())
        case 11:
            self = .credit(try reader.count(of: "credit", limit: SecureChannel.maximumMessageBytes))
        case 12:
            self = .ping(try reader.number())
        case 13:
            self = .pong(try reader.number())
        case 14:
            var addresses: [PeerAddress] = []
            for _ in 0..<(try reader.count(of: "addresses", limit: Self.maximumAddresses, each: 33)) {
                addresses.append(
                    PeerAddress(
                        device: try reader.identifier(),
                        address: try reader.text(of: "address", limit: PeerAddress.maximumTextBytes)))
            }
            self = .addresses(addresses)
        case 15:
            self = .bodiesWanted(try reader.laneSlot(), try reader.ascending(of: "bodies", limit: Self.maximumBodies))
        case 16:
            let lane = try reader.laneSlot()
            var bodies: [Body] = []
            for _ in 0..<(try reader.count(of: "bodies", limit: Self.maximumBodies, each: 33)) {
                let operation: OperationID = try reader.identifier()
                if let last = bodies.last, last.operation >= operation { throw .unsorted(field: "bodies") }
                bodies.append(Body(operation: operation, bytes: try reader.data(of: "body", limit: Limits.body)))
            }
            self = .bodies(lane, bodies)
        case 17:
            self = .receiptDigest(
                try reader.laneSlot(), ReceiptDigest(bytes: try reader.raw(ReceiptDigest.byteCount)))
        case 18:
            let lane = try reader.laneSlot()
            var versions: [ReceiptVersion] = []
            let count = try reader.count(of: "receipts", limit: Self.maximumChains, each: ReceiptVersion.byteMinimum)
            for _ in 0..<count {
                let version = try ReceiptVersion(from: &reader)
                if let last = versions.last, last.device >= version.device { throw .unsorted(field: "receipts") }
                versions.append(version)
            }
            self = .receiptVersions(lane, versions)
        case 19:
            let lane = try reader.laneSlot()
            var receipts: [[UInt8]] = []
            for _ in 0..<(try reader.count(of: "receipts", limit: Self.maximumReceipts, each: 1)) {
                receipts.append(try reader.data(of: "receipt", limit: Self.maximumReceiptBytes))
            }
            self = .receipts(lane, receipts)
        case 20:
            let lane = try reader.laneSlot()
            guard lane.lane == .content else { throw .invalid(field: "lane") }
            guard reader.remaining <= Self.maximumTypingBytes else {
                throw .tooLong(field: "typing", limit: Self.maximumTypingBytes)
            }
            self = .typing(lane, try reader.raw(reader.remaining))
        case 21:
            self = .proof(
                ConversationTag(bytes: try reader.raw(ConversationTag.byteCount)), try reader.identifier(),
                InviteProof(signature: try reader.signature()))
        case 22:
            let invite: OperationID = try reader.identifier()
            guard let reason = InviteRefusal(rawValue: try reader.byte()) else { throw .invalid(field: "refusal") }
            self = .refusal(invite, reason)
        case 23:
            self = .blobWanted(try reader.laneSlot(), try reader.identifier())
        case 27:
            self = .photoWanted(try reader.identifier())
        case 24:
            self = .blobHeld(try reader.digest(), try reader.data(of: "chunks", limit: ChunkSet.maximumBytes))
        case 25:
            let root = try reader.digest()
            var indices: [Int] = []
            let count = try reader.count(of: "chunks", limit: Self.maximumChunksWanted, each: 1)
            guard count > 0 else { throw .invalid(field: "chunks") }
            for _ in 0..<count {
                indices.append(try reader.count(of: "chunk", limit: BlobAddress.maximumChunks - 1))
            }
            self = .chunksWanted(root, indices)
        case Self.chunkKind:
            let root = try reader.digest()
            guard reader.remaining <= BlobChunk.maximumBytes else {
                throw .tooLong(field: "chunk", limit: BlobChunk.maximumBytes)
            }
            self = .chunk(root, try reader.raw(reader.remaining))
        default:
            throw .invalid(field: "message kind")
        }
        try reader.finish()
    }
}

extension CanonicalWriter {
    mutating func write(_ lane: PeerMessage.LaneSlot) {
        write(count: lane.slot)
        write(byte: lane.lane.rawValue)
    }
}

extension CanonicalReader {
    fileprivate mutating func laneSlot() throws(MalformedBytes) -> PeerMessage.LaneSlot {
        let slot = try count(of: "slot", limit: 1 << 20)
        guard let lane = Lane(rawValue: try byte()) else { throw .invalid(field: "lane") }
        return PeerMessage.LaneSlot(slot: slot, lane: lane)
    }

    fileprivate mutating func flag() throws(MalformedBytes) -> Bool {
        switch try byte() {
        case 0: false
        case 1: true
        default: throw .invalid(field: "flag")
        }
    }

    fileprivate mutating func frontierDigest() throws(MalformedBytes) -> FrontierDigest {
        FrontierDigest(bytes: try raw(FrontierDigest.byteCount))
    }

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
