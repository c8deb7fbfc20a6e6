import Cryptography
import Time

extension OperationHeader {
    /// Writes the bytes that the operation's id and signature cover.
    public func encode(into writer: inout CanonicalWriter) {
        writer.write(number: Self.version)
        writer.write(number: type.rawValue)
        if let conversation {
            writer.write(byte: 1)
            writer.write(conversation)
        } else {
            writer.write(byte: 0)
        }
        writer.write(byte: lane.rawValue)
        writer.write(device)
        encodeRest(into: &writer)
    }

    /// Writes only what follows the device: the part before it follows from where the operation is kept.
    public func encodeRest(into writer: inout CanonicalWriter) {
        writer.write(number: sequenceNumber)
        if let previous { writer.write(previous) }
        writer.write(ascending: dependencies)
        if lane == .content {
            writer.write(ascending: membershipHeads)
            if let epoch {
                writer.write(byte: 1)
                writer.write(epoch)
            } else {
                writer.write(byte: 0)
            }
        }
        writer.write(number: UInt64(time.milliseconds))
        writer.write(count: bodyLength)
        writer.write(digest: bodyDigest)
    }

    /// The bytes before the digest of the body: what a sealed body is bound to.
    public var encodedUpToDigest: [UInt8] { Array(encoded.dropLast(Digest.byteCount)) }

    /// The bytes that the operation's id and signature cover.
    public var encoded: [UInt8] {
        var writer = CanonicalWriter()
        encode(into: &writer)
        return writer.bytes
    }

    /// Reads a header; every other encoding of the same values is refused.
    ///
    /// - Complexity: O(*n*) in the number of bytes, at most 1.2 KB.
    public init(decoding bytes: [UInt8]) throws(MalformedBytes) {
        var reader = CanonicalReader(bytes)
        guard try reader.number() == Self.version else { throw .invalid(field: "version") }
        type = OperationType(rawValue: try reader.number())
        conversation = try Self.optional(of: "conversation", from: &reader)
        guard let lane = Lane(rawValue: try reader.byte()) else { throw .invalid(field: "lane") }
        self.lane = lane
        device = try reader.identifier()
        sequenceNumber = try reader.number()
        previous = sequenceNumber > 1 ? try reader.identifier() : nil
        dependencies = try reader.ascending(of: "dependencies", limit: Limits.maximumDependencies)
        if lane == .content {
            membershipHeads = try reader.ascending(of: "membership heads", limit: Limits.maximumDependencies)
            epoch = try Self.optional(of: "epoch", from: &reader)
        } else {
            membershipHeads = []
            epoch = nil
        }
        let milliseconds = try reader.number()
        guard let time = Timestamp(milliseconds: Int64(clamping: milliseconds)) else { throw .invalid(field: "time") }
        self.time = time
        bodyLength = try reader.count(of: "body length", limit: Limits.maximumBodyBytes)
        bodyDigest = try reader.digest()
        try reader.finish()
        try checkShape()
    }

    /// Checks what every well-formed header keeps, however it was transported.
    func checkShape() throws(MalformedBytes) {
        guard (1...Limits.maximumSequenceNumber).contains(sequenceNumber) else {
            throw .invalid(field: "sequence number")
        }
        guard (conversation == nil) == (type == .create) else { throw .invalid(field: "conversation") }
        if type == .create {
            guard lane == .membership, sequenceNumber == 1, dependencies.isEmpty else {
                throw .invalid(field: "create")
            }
        }
        if let previous, dependencies.contains(previous) { throw .invalid(field: "dependencies") }
        // A content operation names the membership it was written under.
        guard lane == .membership || !membershipHeads.isEmpty else { throw .invalid(field: "membership heads") }
    }

    private static func optional<Identifier: DigestIdentifier>(
        of field: String, from reader: inout CanonicalReader
    ) throws(MalformedBytes) -> Identifier? {
        switch try reader.byte() {
        case 0: nil
        case 1: try reader.identifier()
        default: throw .invalid(field: field)
        }
    }
}
