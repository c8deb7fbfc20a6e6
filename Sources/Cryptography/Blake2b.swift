import CSodium

/// BLAKE2b of 1 to 64 bytes, with or without a key, fed piece by piece (RFC 7693).
///
/// For a digest of bytes that are at hand, ``Digest/hash(_:_:)`` needs no heap.
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
        guard !bytes.isEmpty else { return }
        crypto_generichash_update(OpaquePointer(state), bytes.octets, UInt64(bytes.count))
    }

    /// Adds the bytes of a digest.
    public mutating func update(_ digest: Digest) {
        digest.withUnsafeBytes { update(raw: $0) }
    }

    /// Ends the hash.
    public consuming func finalize() -> [UInt8] {
        let count = byteCount
        var result = [UInt8](repeating: 0, count: count)
        crypto_generichash_final(OpaquePointer(state), &result, count)
        return result
    }

    /// Ends a hash of 32 bytes.
    public consuming func finalizeDigest() -> Digest {
        precondition(byteCount == Digest.byteCount, "a digest has 32 bytes")
        return Digest { [state] in crypto_generichash_final(OpaquePointer(state), $0.octets, $0.count) }
    }

    /// Ends the hash into as many bytes as it makes.
    consuming func finalize(into result: UnsafeMutableRawBufferPointer) {
        precondition(result.count == byteCount, "a hash fills its result")
        crypto_generichash_final(OpaquePointer(state), result.octets, byteCount)
    }
}

extension Digest {
    /// Hashes an ASCII label and the parts, one directly after the other, with the hash's state on the stack.
    ///
    /// - Complexity: O(*n*), about 0.5 µs for 200 bytes.
    public static func hash(_ label: StaticString, _ parts: [UInt8]...) -> Digest {
        let (size, alignment) = (moot_blake2b_state_size(), moot_blake2b_state_alignment())
        // The stack is not aligned as the state must be: there is room to begin at the first address that is.
        return withUnsafeTemporaryAllocation(byteCount: size + alignment, alignment: 1) { memory in
            guard let start = memory.baseAddress else { preconditionFailure("room was asked for") }
            let state = OpaquePointer(start.alignedUp(toMultipleOf: alignment))
            crypto_generichash_init(state, nil, 0, byteCount)
            crypto_generichash_update(state, label.utf8Start, UInt64(label.utf8CodeUnitCount))
            for part in parts { crypto_generichash_update(state, part, UInt64(part.count)) }
            return Digest { crypto_generichash_final(state, $0.octets, $0.count) }
        }
    }
}
