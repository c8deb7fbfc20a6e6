import Cryptography

/// A root's statement that a device is none of its user's any more. Nothing undoes it: no later identity record, and no
/// other statement.
///
/// A value of this type has a valid signature: it can only be made by signing or by verifying.
public struct Tombstone: Hashable, Sendable {
    /// Why a device was taken out.
    public enum Kind: UInt8, Hashable, Sendable, Comparable {
        /// It is lost, replaced or not wanted any more: what it wrote counts.
        case retired = 0
        /// It is somebody else's: what it wrote counts as far as a revocation names it.
        case revoked = 1

        /// A revocation is more than a retirement.
        public static func < (one: Kind, other: Kind) -> Bool { one.rawValue < other.rawValue }
    }

    /// Bytes of an encoding.
    public static let byteCount = 2 * Digest.byteCount + 1 + Signature.byteCount

    /// Whose device it was.
    public let user: UserID
    /// The device.
    public let device: DeviceID
    /// Why it was taken out.
    public let kind: Kind
    /// The bytes as they were signed or received, signature included.
    public let encoded: [UInt8]

    /// Takes a device out.
    public init(root: SigningKey, device: DeviceID, kind: Kind) {
        user = UserID(root.verifyingKey)
        self.device = device
        self.kind = kind
        var writer = CanonicalWriter()
        writer.write(user)
        writer.write(device)
        writer.write(byte: kind.rawValue)
        writer.write(raw: root.sign(Self.statement(of: writer.bytes)).bytes)
        encoded = writer.bytes
    }

    /// Reads a tombstone and verifies its signature.
    ///
    /// - Complexity: one signature check, about 100 µs.
    public init(verifying encoded: [UInt8]) throws(MalformedBytes) {
        var reader = CanonicalReader(encoded)
        try self.init(from: &reader)
        try reader.finish()
    }

    /// Reads a tombstone among other things, and verifies its signature where that was not done when it came.
    ///
    /// - Complexity: one signature check, about 100 µs.
    public init(from reader: inout CanonicalReader) throws(MalformedBytes) {
        let encoded = try reader.raw(Self.byteCount)
        var fields = CanonicalReader(encoded)
        user = try fields.identifier()
        device = try fields.identifier()
        guard let kind = Kind(rawValue: try fields.byte()) else { throw .invalid(field: "tombstone") }
        let signed = Array(encoded[..<fields.position])
        let signature = try fields.signature()
        guard reader.isVerified || user.key.verifies(signature, of: Self.statement(of: signed)) else {
            throw .signature(field: "tombstone")
        }
        self.kind = kind
        self.encoded = encoded
    }

    /// What an encoding says before its signature is looked at; nil for what is none.
    public static func subject(of encoded: [UInt8]) -> (user: UserID, device: DeviceID, kind: Kind)? {
        var fields = CanonicalReader(encoded)
        guard encoded.count == byteCount, let user: UserID = try? fields.identifier(),
            let device: DeviceID = try? fields.identifier(), let kind = (try? fields.byte()).flatMap(Kind.init)
        else { return nil }
        return (user, device, kind)
    }

    private static func statement(of signed: [UInt8]) -> [UInt8] {
        var statement = Statement("moot/1/tombstone")
        statement.append(signed)
        return statement.bytes
    }
}

/// The devices of one user that were taken out: a set that only grows.
///
/// The union of two sets does not depend on the order in which they came. A retirement becomes a revocation where one
/// is known, and never the other way.
public struct Tombstones: Hashable, Sendable {
    /// The most that a set keeps. An honest user signs no more. Of more those with the smallest device ids count, on
    /// every replica alike.
    public static let maximumCount = 256

    private var kept: [DeviceID: Tombstone] = [:]

    /// Holds nothing.
    public init() {}

    /// Takes in a tombstone; true if it says more than was known, and is among those that are kept.
    ///
    /// - Precondition: all are of one user.
    /// - Complexity: O(1); O(*n*) once there are more than ``maximumCount``.
    @discardableResult
    public mutating func insert(_ tombstone: Tombstone) -> Bool {
        if let known = kept[tombstone.device], known.kind >= tombstone.kind { return false }
        kept[tombstone.device] = tombstone
        guard kept.count > Self.maximumCount, let last = kept.keys.max() else { return true }
        kept[last] = nil
        return last != tombstone.device
    }

    /// The tombstone of a device; nil if it was not taken out.
    public subscript(device: DeviceID) -> Tombstone? { kept[device] }

    /// How many there are.
    public var count: Int { kept.count }

    /// Whether nothing was taken out.
    public var isEmpty: Bool { kept.isEmpty }

    /// All of them, ascending by device.
    public var all: [Tombstone] { kept.values.sorted { $0.device < $1.device } }

    /// Whether what a tombstone says is known here.
    public func contains(_ tombstone: Tombstone) -> Bool {
        kept[tombstone.device].map { $0.kind >= tombstone.kind } ?? false
    }

    /// Whether ``insert(_:)`` would take a tombstone in: whether it says more than is known, and has room.
    ///
    /// - Complexity: O(1); O(*n*) where there are ``maximumCount``.
    public func wouldTake(_ tombstone: Tombstone) -> Bool {
        if kept[tombstone.device] != nil { return !contains(tombstone) }
        return kept.count < Self.maximumCount || kept.keys.contains { $0 > tombstone.device }
    }
}
