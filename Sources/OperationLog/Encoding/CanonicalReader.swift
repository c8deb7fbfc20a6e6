import Cryptography

/// Reads values in the one encoding that Protocol.md allows for them and rejects every other.
///
/// Every length is checked against its limit and against the bytes that are left before anything is allocated.
public struct CanonicalReader: Sendable {
    private let bytes: [UInt8]
    private var offset: Int
    private let end: Int
    /// Whether the signatures in the bytes were verified when they came: then they are not checked again.
    let isVerified: Bool

    /// Reads all of `bytes`.
    ///
    /// - Parameter isVerified: whether the signatures in them were verified when they came.
    public init(_ bytes: [UInt8], isVerified: Bool = false) {
        self.bytes = bytes
        self.isVerified = isVerified
        offset = 0
        end = bytes.count
    }

    /// How many bytes are left.
    public var remaining: Int { end - offset }

    /// How many bytes have been read.
    public var position: Int { offset }

    /// What was read since a position.
    func bytes(since start: Int) -> [UInt8] { Array(bytes[start..<offset]) }

    /// Checks that nothing is left.
    public func finish() throws(MalformedBytes) {
        guard offset == end else { throw .trailing(count: end - offset) }
    }

    /// Reads one byte.
    public mutating func byte() throws(MalformedBytes) -> UInt8 {
        guard offset < end else { throw .truncated }
        defer { offset += 1 }
        return bytes[offset]
    }

    /// Reads an unsigned number in its shortest form.
    public mutating func number() throws(MalformedBytes) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let next = try byte()
            // The tenth digit has room for one bit.
            guard shift < 63 || next <= 1 else { throw .number }
            value |= UInt64(next & 0x7F) << shift
            if next < 0x80 {
                guard next != 0 || shift == 0 else { throw .number }
                return value
            }
            shift += 7
        }
    }

    /// Reads a signed number.
    public mutating func difference() throws(MalformedBytes) -> Int64 {
        let value = try number()
        return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }

    /// Reads a count or length of at most `limit`.
    public mutating func count(of field: String, limit: Int) throws(MalformedBytes) -> Int {
        let value = try number()
        guard value <= UInt64(limit) else { throw .tooLong(field: field, limit: limit) }
        return Int(value)
    }

    /// Reads the number of elements of a list, each of which takes at least `size` bytes.
    ///
    /// A count that the remaining bytes cannot hold is refused, so that room may be made for it.
    public mutating func count(of field: String, limit: Int, each size: Int) throws(MalformedBytes) -> Int {
        let value = try count(of: field, limit: limit)
        guard value <= remaining / size else { throw .truncated }
        return value
    }

    /// Reads exactly `count` bytes.
    public mutating func raw(_ count: Int) throws(MalformedBytes) -> [UInt8] {
        Array(try slice(count))
    }

    /// Reads exactly `count` bytes and leaves them in place.
    public mutating func slice(_ count: Int) throws(MalformedBytes) -> ArraySlice<UInt8> {
        guard count <= end - offset else { throw .truncated }
        defer { offset += count }
        return bytes[offset..<offset + count]
    }

    /// Reads a length of at most `limit` and as many bytes.
    public mutating func data(of field: String, limit: Int) throws(MalformedBytes) -> [UInt8] {
        try raw(count(of: field, limit: limit))
    }

    /// Reads UTF-8 text of at most `limit` bytes; bytes that are no UTF-8 are refused, never repaired.
    public mutating func text(of field: String, limit: Int) throws(MalformedBytes) -> String {
        let data = try data(of: field, limit: limit)
        guard let text = String(validating: data, as: UTF8.self) else { throw .invalid(field: field) }
        return text
    }

    /// Reads 32 bytes.
    public mutating func digest() throws(MalformedBytes) -> Digest {
        guard Digest.byteCount <= end - offset else { throw .truncated }
        defer { offset += Digest.byteCount }
        return bytes.withUnsafeBytes {
            Digest(raw: UnsafeRawBufferPointer(rebasing: $0[offset..<offset + Digest.byteCount]))
        }
    }

    /// Reads the 32 bytes of an identifier.
    public mutating func identifier<Identifier: DigestIdentifier>(
        _ type: Identifier.Type = Identifier.self
    ) throws(MalformedBytes) -> Identifier {
        Identifier(digest: try digest())
    }

    /// Reads a strictly ascending list of at most `limit` identifiers.
    public mutating func ascending<Identifier: DigestIdentifier>(
        of field: String, limit: Int
    ) throws(MalformedBytes) -> [Identifier] {
        let count = try count(of: field, limit: limit, each: Digest.byteCount)
        var list: [Identifier] = []
        list.reserveCapacity(count)
        for _ in 0..<count {
            let next: Identifier = try identifier()
            if let last = list.last, last >= next { throw .unsorted(field: field) }
            list.append(next)
        }
        return list
    }

    /// Reads a 64-byte signature.
    public mutating func signature() throws(MalformedBytes) -> Signature {
        guard let signature = Signature(bytes: try raw(Signature.byteCount)) else { throw .truncated }
        return signature
    }

    /// Reads a 32-byte Ed25519 public key. Whether it is a usable point is for the signature check to say.
    public mutating func verifyingKey(of field: String) throws(MalformedBytes) -> VerifyingKey {
        guard let key = VerifyingKey(bytes: try raw(Digest.byteCount)) else { throw .invalid(field: field) }
        return key
    }
}
