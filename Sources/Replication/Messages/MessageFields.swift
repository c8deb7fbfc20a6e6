import OperationLog

extension CanonicalWriter {
    /// Writes the slot of a conversation and the lane.
    mutating func write(_ lane: PeerMessage.LaneSlot) {
        write(count: lane.slot)
        write(byte: lane.lane.rawValue)
    }

    /// Writes 8 bytes, the most significant first.
    mutating func write(word: UInt64) {
        write(raw: withUnsafeBytes(of: word.bigEndian) { Array($0) })
    }

    /// Writes a bit for each of so many numbers, whether it is among some: of each byte the least significant bit
    /// first.
    mutating func write(bits numbers: [Int], of count: Int) {
        var bytes = [UInt8](repeating: 0, count: count / 8)
        for number in numbers { bytes[number / 8] |= 1 << UInt8(number % 8) }
        write(raw: bytes)
    }
}

extension CanonicalReader {
    /// Reads the slot of a conversation.
    mutating func slot() throws(MalformedBytes) -> Int { try count(of: "slot", limit: 1 << 20) }

    /// Reads the slot of a conversation and the lane.
    mutating func laneSlot() throws(MalformedBytes) -> PeerMessage.LaneSlot {
        let slot = try slot()
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

    /// Reads 8 bytes, the most significant first.
    mutating func word() throws(MalformedBytes) -> UInt64 {
        try slice(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Reads which of so many numbers, a multiple of eight, have their bits set, ascending.
    mutating func bits(_ count: Int) throws(MalformedBytes) -> [Int] {
        let bytes = try raw(count / 8)
        return (0..<count).filter { bytes[$0 / 8] >> UInt8($0 % 8) & 1 == 1 }
    }

    /// Reads the digest of what is held of a lane.
    mutating func laneDigest() throws(MalformedBytes) -> LaneDigest {
        LaneDigest(bytes: try raw(LaneDigest.byteCount))
    }
}
