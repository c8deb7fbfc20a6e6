import CSodium

/// BLAKE2b of 1 to 64 bytes, with or without a key, fed piece by piece (RFC 7693).
public struct Blake2b: ~Copyable {
    private let state: UnsafeMutableRawPointer
    private let byteCount: Int

    /// Begins a hash.
    ///
    /// - Parameters:
    ///   - byteCount: bytes of the result, 1 to 64.
    ///   - key: 0 to 64 bytes that turn the hash into a message authentication code.
    public init(byteCount: Int = Digest.byteCount, key: [UInt8] = []) {
        precondition((1...64).contains(byteCount) && key.count <= 64, "BLAKE2b makes 1 to 64 bytes under at most 64")
        self.byteCount = byteCount
        state = .allocate(byteCount: moot_blake2b_state_size(), alignment: moot_blake2b_state_alignment())
        crypto_generichash_init(OpaquePointer(state), key, key.count, byteCount)
    }

    deinit {
        sodium_memzero(state, moot_blake2b_state_size())
        state.deallocate()
    }

    /// Adds bytes.
    public mutating func update(_ bytes: [UInt8]) {
        crypto_generichash_update(OpaquePointer(state), bytes, UInt64(bytes.count))
    }

    /// Adds bytes.
    public mutating func update(raw bytes: UnsafeRawBufferPointer) {
        let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        crypto_generichash_update(OpaquePointer(state), start, UInt64(bytes.count))
    }

    /// Adds the bytes of a digest.
    public mutating func update(_ digest: Digest) {
        digest.withUnsafeBytes { update(raw: $0) }
    }

    /// Ends the hash.
    public consuming func finalize() -> [UInt8] {
        var result = [UInt8](repeating: 0, count: byteCount)
        crypto_generichash_final(OpaquePointer(state), &result, byteCount)
        return result
    }

    /// Ends a hash of 32 bytes.
    public consuming func finalizeDigest() -> Digest {
        precondition(byteCount == Digest.byteCount, "a digest has 32 bytes")
        var result: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        return withUnsafeMutableBytes(of: &result) { [state] buffer in
            buffer.withMemoryRebound(to: UInt8.self) { bytes in
                if let start = bytes.baseAddress {
                    crypto_generichash_final(OpaquePointer(state), start, Digest.byteCount)
                }
            }
            return Digest(raw: UnsafeRawBufferPointer(buffer))
        }
    }
}
