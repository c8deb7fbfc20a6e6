import Cryptography
import OperationLog

/// Which receipt of a device a replica holds.
public struct ReceiptVersion: Hashable, Sendable {
    /// The shortest encoding, in bytes.
    static let byteMinimum = 32 + 1 + tieByteCount
    private static let tieByteCount = 8

    /// Whose receipt it is.
    public let device: DeviceID
    /// Its version.
    public let version: UInt64
    /// The first bytes of its digest. Only a liar signs two receipts of one version; of those the one with the smaller
    /// digest counts.
    public let tie: [UInt8]

    /// Names a receipt.
    public init(of device: DeviceID, version: UInt64, digest: Digest) {
        self.device = device
        self.version = version
        tie = Array(digest.bytes.prefix(Self.tieByteCount))
    }

    /// Names that nothing is held of a device: every receipt replaces it.
    public init(ofNoneBy device: DeviceID) {
        self.device = device
        version = 0
        tie = Array(repeating: .max, count: Self.tieByteCount)
    }

    init(from reader: inout CanonicalReader) throws(MalformedBytes) {
        device = try reader.identifier()
        version = try reader.number()
        tie = try reader.raw(Self.tieByteCount)
    }

    func write(to writer: inout CanonicalWriter) {
        writer.write(device)
        writer.write(number: version)
        writer.write(raw: tie)
    }

    /// Whether it replaces `other` of the same device.
    public func supersedes(_ other: ReceiptVersion) -> Bool {
        if version != other.version { return version > other.version }
        return tie.lexicographicallyPrecedes(other.tie)
    }
}

/// What a replica holds of the receipts that concern both sides of a connection, as it says it there.
///
/// Eight bytes are enough: they depend on the connection's handshake, so nobody can look beforehand for receipts that
/// make two different sets seem equal.
public struct ReceiptDigest: Hashable, Sendable {
    /// Bytes of a digest.
    public static let byteCount = 8
    /// The bytes.
    public let bytes: [UInt8]

    /// The digest of a set of receipts on a connection.
    public init(of receipts: Digest, transcript: [UInt8]) {
        var hash = Blake2b(byteCount: Self.byteCount, key: receipts.bytes)
        hash.update(transcript)
        bytes = hash.finalize()
    }

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }
}

/// What a peer says it holds, with what it takes to compare that with what is held here.
public struct HeardReceiptDigest: Hashable, Sendable {
    let digest: ReceiptDigest
    let transcript: [UInt8]

    /// Joins a digest to the transcript of the connection on which it was said.
    public init(digest: ReceiptDigest, transcript: [UInt8]) {
        self.digest = digest
        self.transcript = transcript
    }

    /// Whether the peer holds the receipts that have this digest.
    public func isOf(_ receipts: Digest) -> Bool {
        digest == ReceiptDigest(of: receipts, transcript: transcript)
    }
}
