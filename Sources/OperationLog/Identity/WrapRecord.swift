import Cryptography

/// The X25519 key to which a device has keys sealed, signed by the device.
///
/// A value of this type has a valid signature. Of a device's records the one with the highest counter counts; of two
/// with one counter, the one with the smaller digest.
public struct WrapRecord: Hashable, Sendable {
    /// Bytes of an encoding, at most.
    public static let maximumBytes = 32 + 10 + AgreementKey.byteCount + Signature.byteCount

    /// Whose key it is.
    public let device: DeviceID
    /// Rises with every new key.
    public let counter: UInt64
    /// The public key, 32 bytes.
    public let key: [UInt8]
    /// The bytes as they were signed or received, signature included.
    public let encoded: [UInt8]

    /// Publishes a key.
    ///
    /// - Precondition: `key` has 32 bytes.
    public init(by author: Author, counter: UInt64, key: [UInt8]) {
        precondition(key.count == AgreementKey.byteCount, "a public key has 32 bytes")
        device = author.device.id
        self.counter = counter
        self.key = key
        var writer = CanonicalWriter()
        writer.write(device)
        writer.write(number: counter)
        writer.write(raw: key)
        writer.write(raw: author.sign(Self.statement(of: writer.bytes)).bytes)
        encoded = writer.bytes
    }

    /// Reads a record of one of some devices and verifies its signature.
    ///
    /// - Complexity: one signature check, about 100 µs, and a multiplication on the curve.
    public init(verifying encoded: [UInt8], among devices: [Device]) throws(MalformedBytes) {
        try self.init(encoded, among: devices, isVerified: false)
    }

    /// Reads a record of one of some devices, and verifies its signature where that was not done when it came.
    init(_ encoded: [UInt8], among devices: [Device], isVerified: Bool) throws(MalformedBytes) {
        guard encoded.count <= Self.maximumBytes else { throw .tooLong(field: "wrap record", limit: Self.maximumBytes) }
        var reader = CanonicalReader(encoded)
        let device: DeviceID = try reader.identifier()
        counter = try reader.number()
        key = try reader.raw(AgreementKey.byteCount)
        let signed = Array(encoded[..<reader.position])
        let signature = try reader.signature()
        try reader.finish()
        guard let owner = devices.first(where: { $0.id == device }) else { throw .invalid(field: "wrap record") }
        guard isVerified || owner.key.verifies(signature, of: Self.statement(of: signed).bytes) else {
            throw .signature(field: "wrap record")
        }
        guard isVerified || AgreementKey.isUsable(key) else { throw .invalid(field: "wrap key") }
        self.device = device
        self.encoded = encoded
    }

    /// Whether this record replaces `other` of the same device.
    public func supersedes(_ other: WrapRecord) -> Bool {
        if counter != other.counter { return counter > other.counter }
        return Digest.hash("moot/1/wrap-record", encoded) < Digest.hash("moot/1/wrap-record", other.encoded)
    }

    private static func statement(of signed: [UInt8]) -> Statement {
        var statement = Statement("moot/1/wrap-record")
        statement.append(signed)
        return statement
    }
}
