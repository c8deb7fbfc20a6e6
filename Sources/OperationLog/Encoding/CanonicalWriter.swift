import Cryptography

/// Appends values in the one encoding that Protocol.md allows for them.
public struct CanonicalWriter: Sendable {
    /// What has been written so far.
    public private(set) var bytes: [UInt8] = []

    /// Starts with no bytes.
    ///
    /// - Parameter capacity: how many bytes to make room for.
    public init(capacity: Int = 256) {
        bytes.reserveCapacity(capacity)
    }

    /// Forgets what was written and keeps the room.
    public mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }

    /// Writes one byte.
    public mutating func write(byte: UInt8) {
        bytes.append(byte)
    }

    /// Writes an unsigned number in LEB128: base-128 digits, least significant first, in the shortest form.
    public mutating func write(number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// Writes a count or length.
    public mutating func write(count: Int) {
        write(number: UInt64(count))
    }

    /// Writes a signed number, its sign in the lowest bit so that small differences stay short.
    public mutating func write(difference: Int64) {
        write(number: UInt64(bitPattern: (difference << 1) ^ (difference >> 63)))
    }

    /// Writes bytes whose number the reader knows.
    public mutating func write(raw: [UInt8]) {
        bytes.append(contentsOf: raw)
    }

    /// Writes the length of `data`, then `data`.
    public mutating func write(data: [UInt8]) {
        write(count: data.count)
        bytes.append(contentsOf: data)
    }

    /// Writes the length of `data`, then `data`.
    public mutating func write(data: ArraySlice<UInt8>) {
        write(count: data.count)
        bytes.append(contentsOf: data)
    }

    /// Writes `text` as UTF-8 with its length in bytes.
    public mutating func write(text: String) {
        write(count: text.utf8.count)
        bytes.append(contentsOf: text.utf8)
    }

    /// Writes the 32 bytes of a digest.
    public mutating func write(digest: Digest) {
        digest.withUnsafeBytes { bytes.append(contentsOf: $0) }
    }

    /// Writes the 32 bytes of an identifier.
    public mutating func write(_ identifier: some DigestIdentifier) {
        write(digest: identifier.digest)
    }

    /// Writes the number of identifiers, then each.
    ///
    /// - Precondition: `identifiers` is strictly ascending.
    public mutating func write(ascending identifiers: [some DigestIdentifier]) {
        write(count: identifiers.count)
        for identifier in identifiers { write(digest: identifier.digest) }
    }
}
