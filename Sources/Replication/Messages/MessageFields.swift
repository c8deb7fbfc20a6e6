import OperationLog

extension CanonicalWriter {
    /// Writes the slot of a conversation and the lane.
    mutating func write(_ lane: PeerMessage.LaneSlot) {
        write(count: lane.slot)
        write(byte: lane.lane.rawValue)
    }
}

extension CanonicalReader {
    /// Reads the slot of a conversation and the lane.
    mutating func laneSlot() throws(MalformedBytes) -> PeerMessage.LaneSlot {
        let slot = try count(of: "slot", limit: 1 << 20)
        guard let lane = Lane(rawValue: try byte()) else { throw .invalid(field: "lane") }
        return PeerMessage.LaneSlot(slot: slot, lane: lane)
    }

    /// Reads a byte that says yes or no.
    mutating func flag() throws(MalformedBytes) -> Bool {
        switch try byte() {
        case 0: false
        case 1: true
        default: throw .invalid(field: "flag")
        }
    }

    /// Reads the digest of what is held of a lane.
    mutating func laneDigest() throws(MalformedBytes) -> LaneDigest {
        LaneDigest(bytes: try raw(LaneDigest.byteCount))
    }
}
