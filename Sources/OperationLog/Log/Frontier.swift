import Cryptography

/// The last operation of a chain, or of one branch of a forked chain.
public struct ChainTip: Hashable, Comparable, Sendable {
    /// Its place in the chain.
    public let sequenceNumber: UInt64
    /// Its name.
    public let id: OperationID

    /// Names the end of a chain.
    public init(sequenceNumber: UInt64, id: OperationID) {
        self.sequenceNumber = sequenceNumber
        self.id = id
    }

    /// Longer chains last; branches of one length by id.
    public static func < (left: ChainTip, right: ChainTip) -> Bool {
        (left.sequenceNumber, left.id) < (right.sequenceNumber, right.id)
    }
}

/// Everything a replica holds of one lane, said by the ends of its chains.
///
/// A replica is a causal cut without gaps, so two replicas with equal frontiers hold the same operations.
public struct Frontier: Hashable, Sendable {
    /// The tips of every chain, ascending; more than one proves that the device forked its chain.
    public private(set) var tips: [DeviceID: [ChainTip]] = [:]

    /// Holds nothing.
    public init() {}

    /// Reads back the tips a store kept.
    public init(_ tips: [(device: DeviceID, tip: ChainTip)]) {
        for entry in tips { self.tips[entry.device, default: []].append(entry.tip) }
        for device in self.tips.keys { self.tips[device]?.sort() }
    }

    /// The devices with a chain, ascending.
    public var devices: [DeviceID] { tips.keys.sorted() }

    /// The largest sequence number held of a device's chain; 0 where nothing is.
    public func sequenceNumber(of device: DeviceID) -> UInt64 {
        tips[device]?.last?.sequenceNumber ?? 0
    }

    /// Whether some device has forked its chain.
    public var hasForks: Bool { tips.values.contains { $0.count > 1 } }

    /// How many operations all chains have; nil where a device has forked its chain, since branches share their
    /// beginnings.
    ///
    /// - Complexity: O(*n*) in the devices.
    public var operationCount: Int? {
        var count = 0
        for chain in tips.values {
            guard chain.count < 2 else { return nil }
            count += chain.first.map { Int(clamping: $0.sequenceNumber) } ?? 0
        }
        return count
    }

    /// Appends an operation: it replaces the tip it follows, or starts a branch.
    ///
    /// - Complexity: O(log *b*) in the branches of the chain, and moving those that come after.
    public mutating func append(_ tip: ChainTip, after previous: OperationID?, of device: DeviceID) {
        // In place: a long batch moves the same few tips thousands of times.
        Self.append(tip, after: previous, to: &tips[device, default: []])
    }

    private static func append(_ tip: ChainTip, after previous: OperationID?, to chain: inout [ChainTip]) {
        if let previous, tip.sequenceNumber > 0 {
            let replaced = ChainTip(sequenceNumber: tip.sequenceNumber - 1, id: previous)
            // In place: nearly every chain has one tip.
            if chain.count == 1, chain[0] == replaced {
                chain[0] = tip
                return
            }
            chain.removeSorted(replaced)
        }
        chain.insertSorted(tip)
    }

    /// A digest of 16 bytes by which two replicas see that they hold the same.
    ///
    /// - Complexity: one hash over 72 bytes per tip, about 20 µs for 256 chains.
    public var digest: FrontierDigest {
        var hash = Blake2b(byteCount: FrontierDigest.byteCount)
        var writer = CanonicalWriter(capacity: tips.values.reduce(0) { $0 + 40 + 40 * $1.count })
        for (device, chain) in tips.sorted(by: { $0.key < $1.key }) {
            writer.write(device)
            writer.write(count: chain.count)
            for tip in chain {
                writer.write(number: tip.sequenceNumber)
                writer.write(tip.id)
            }
        }
        hash.update(writer.bytes)
        return FrontierDigest(bytes: hash.finalize())
    }
}

/// 16 bytes that stand for a frontier.
///
/// Stored inline: what is known of every peer has some of them, and is copied often.
public struct FrontierDigest: Hashable, Sendable {
    /// Bytes of a digest.
    public static let byteCount = 16

    private let (first, second): (UInt64, UInt64)

    /// Wraps the bytes of a digest.
    ///
    /// - Precondition: there are ``byteCount`` of them.
    public init(bytes: [UInt8]) {
        precondition(bytes.count == Self.byteCount, "a frontier digest has 16 bytes")
        (first, second) = bytes.withUnsafeBytes {
            ($0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
    }

    /// The bytes.
    public var bytes: [UInt8] { withUnsafeBytes(of: (first, second)) { Array($0) } }
}
