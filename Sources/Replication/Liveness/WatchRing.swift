import Cryptography
import OperationLog

/// The connected members of this node's conversations, in the order in which this node meets them on the ring of
/// devices.
///
/// Each device has a place on a circle, by a hash of its id. In every conversation a node watches its three successors
/// among the members it is connected to. So nearly every member has three others who notice within seconds when it is
/// gone, and a crowd costs each of them as much as a group of four. The ring is that of consistent hashing (Karger et
/// al. 1997), the successors are those of Chord (Stoica et al. 2001): all who see the same members compute the same
/// ring without a word.
///
/// A place does not depend on the conversation, so the successors in a group are mostly those in the next. A
/// conversation whose connected members are all in a larger one needs no watch of its own: whoever watches in the
/// larger one tells them.
struct WatchRing: Sendable {
    /// How many successors are watched in each conversation: so many devices may fail at once before one goes
    /// unnoticed.
    static let successorCount = 3
    /// Conversations of which it is examined whether others are within them: more would cost more than the pings they
    /// save.
    private static let maximumCovers = 64

    /// The connections by place, from the first after this node's own device.
    private let order: [(peer: PeerHandle, device: DeviceID)]
    private let indices: [PeerHandle: Int]

    /// Puts connections on the ring as a device sees it.
    ///
    /// - Complexity: O(*n* log *n*) for *n* connections.
    init(around own: DeviceID, of devices: [PeerHandle: DeviceID]) {
        let start = Self.place(of: own)
        order = devices.map { (distance: Self.place(of: $1) &- start, peer: $0, device: $1) }
            .sorted { ($0.distance, $0.device, $0.peer) < ($1.distance, $1.device, $1.peer) }
            .map { ($0.peer, $0.device) }
        indices = Dictionary(order.enumerated().map { ($1.peer, $0) }) { first, _ in first }
    }

    /// Where a device is on the circle.
    static func place(of device: DeviceID) -> UInt64 {
        Digest.hash("moot/1/ring", device.digest.bytes).bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Whom the device watches.
    ///
    /// - Parameter circles: for each conversation, the connections to its members.
    /// - Complexity: O(*c*) for the sum *c* of all circles, and for every two different ones a comparison of 512 bits
    ///   at most.
    func watched(in circles: some Sequence<[PeerHandle]>) -> Set<PeerHandle> {
        let wordCount = (order.count + 63) / 64
        var distinct: Set<[UInt64]> = []
        for circle in circles where !circle.isEmpty {
            var bits = [UInt64](repeating: 0, count: wordCount)
            for index in circle.lazy.compactMap({ indices[$0] }) { bits[index / 64] |= 1 << UInt64(index % 64) }
            distinct.insert(bits)
        }
        var covers: [[UInt64]] = []
        var watched: Set<PeerHandle> = []
        for circle in distinct.sorted(by: Self.isLarger) {
            guard !covers.contains(where: { Self.covers($0, circle) }) else { continue }
            if covers.count < Self.maximumCovers { covers.append(circle) }
            watched.formUnion(successors(in: circle))
        }
        return watched
    }

    /// The first devices of a conversation, with all their connections: for a moment there may be two to one device.
    private func successors(in circle: [UInt64]) -> [PeerHandle] {
        var devices: Set<DeviceID> = []
        var found: [PeerHandle] = []
        for (index, entry) in order.enumerated() where circle[index / 64] >> UInt64(index % 64) & 1 == 1 {
            if devices.count == Self.successorCount, !devices.contains(entry.device) { break }
            devices.insert(entry.device)
            found.append(entry.peer)
        }
        return found
    }

    /// The larger conversation first; else whatever is the same everywhere.
    private static func isLarger(_ one: [UInt64], _ other: [UInt64]) -> Bool {
        let (first, second) = (count(one), count(other))
        return first == second ? one.lexicographicallyPrecedes(other) : first > second
    }

    private static func count(_ circle: [UInt64]) -> Int { circle.reduce(0) { $0 + $1.nonzeroBitCount } }

    private static func covers(_ larger: [UInt64], _ smaller: [UInt64]) -> Bool {
        zip(larger, smaller).allSatisfy { $1 & ~$0 == 0 }
    }
}
