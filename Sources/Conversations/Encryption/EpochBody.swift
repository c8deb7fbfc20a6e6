import Cryptography
import OperationLog

/// What an epoch operation says: for which view it is, what its key is bound to, and the key sealed for each device.
public struct EpochBody: Hashable, Sendable {
    /// Bytes of a key sealed for one device.
    public static let wrapByteCount = EpochKey.byteCount + SealedBox.overhead

    /// The view at the operation's membership heads.
    public let view: ViewID
    /// See ``EpochKey/commitment(of:view:)``.
    public let commitment: Digest
    /// The key sealed for each reader of the view, in their order.
    public let wraps: [[UInt8]]

    /// Describes an epoch.
    public init(view: ViewID, commitment: Digest, wraps: [[UInt8]]) {
        self.view = view
        self.commitment = commitment
        self.wraps = wraps
    }

    /// How long the body for so many devices is.
    public static func byteCount(of readers: Int) -> Int {
        2 * Digest.byteCount + (readers < 128 ? 1 : 2) + readers * wrapByteCount
    }

    /// The canonical bytes.
    public var encoded: [UInt8] {
        var writer = CanonicalWriter(capacity: Self.byteCount(of: wraps.count))
        writer.write(view)
        writer.write(digest: commitment)
        writer.write(count: wraps.count)
        for wrap in wraps { writer.write(raw: wrap) }
        return writer.bytes
    }

    /// Reads a body. That it fails makes the epoch useless, and is no reason to refuse its operation.
    public init(decoding bytes: [UInt8]) throws(MalformedBytes) {
        var reader = CanonicalReader(bytes)
        view = try reader.identifier()
        commitment = try reader.digest()
        var wraps: [[UInt8]] = []
        for _ in 0..<(try reader.count(of: "wraps", limit: View.maximumReaders, each: Self.wrapByteCount)) {
            wraps.append(try reader.raw(Self.wrapByteCount))
        }
        try reader.finish()
        self.wraps = wraps
    }
}

/// What a wrap operation says: an epoch's key sealed once more, for a device whose own wrap did not open.
public struct WrapBody: Hashable, Sendable {
    /// Whom it is for.
    public let device: DeviceID
    /// The device's key to which it is sealed, 32 bytes.
    public let wrapKey: [UInt8]
    /// The epoch's key, sealed.
    public let wrap: [UInt8]

    /// Describes a wrap.
    public init(device: DeviceID, wrapKey: [UInt8], wrap: [UInt8]) {
        self.device = device
        self.wrapKey = wrapKey
        self.wrap = wrap
    }

    /// The canonical bytes.
    public var encoded: [UInt8] { device.digest.bytes + wrapKey + wrap }

    /// Reads a body.
    public init(decoding bytes: [UInt8]) throws(MalformedBytes) {
        var reader = CanonicalReader(bytes)
        device = try reader.identifier()
        wrapKey = try reader.raw(AgreementKey.byteCount)
        wrap = try reader.raw(EpochBody.wrapByteCount)
        try reader.finish()
    }
}
