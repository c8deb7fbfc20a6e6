import Cryptography

/// The key of one blob, which is in the operation that names it and is as secret as that.
///
/// It is drawn for one file and seals nothing else: a chunk's place is its nonce.
public struct BlobKey: Hashable, Sendable {
    /// The 32 bytes.
    public let bytes: Digest

    /// Takes over the bytes of a key.
    public init(bytes: Digest) { self.bytes = bytes }

    /// Draws a key.
    public static func generate(using random: inout some RandomNumberGenerator) -> BlobKey {
        random.bytes(Digest.byteCount).withUnsafeBytes { BlobKey(bytes: Digest(raw: $0)) }
    }

    /// Seals a chunk of the file.
    ///
    /// - Precondition: it has at most ``BlobAddress/chunkByteCount`` bytes.
    public func seal(_ plaintext: [UInt8], at index: Int) -> [UInt8] {
        precondition(plaintext.count <= BlobAddress.chunkByteCount, "a chunk keeps its limit")
        return bytes.withUnsafeBytes { CounterNonceCipher.seal(plaintext, key: $0, number: UInt64(index)) }
    }

    /// Opens a chunk of the file.
    ///
    /// - Throws: ``CryptographyError/authentication`` if whoever made the blob sealed it under another key.
    public func open(_ chunk: BlobChunk) throws(CryptographyError) -> [UInt8] {
        try bytes.withUnsafeBytes { key throws(CryptographyError) in
            try CounterNonceCipher.open(chunk.sealed, key: key, number: UInt64(chunk.index))
        }
    }
}

extension BlobKey: CustomStringConvertible {
    /// Nothing of the key: it must not get into a log.
    public var description: String { "a blob's key" }
}
