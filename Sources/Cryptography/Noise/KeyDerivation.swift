/// HKDF with two outputs over HMAC-BLAKE2b (Noise specification, section 4.3; RFC 5869, RFC 2104).
///
/// HMAC is built from unkeyed hashes, as Noise defines it for every hash: BLAKE2b's own key would give other bytes.
enum KeyDerivation {
    /// Bytes of a BLAKE2b hash.
    static let hashByteCount = 64
    /// Bytes of a BLAKE2b block.
    static let blockByteCount = 128

    /// Derives two secrets, each cut to as many bytes as wanted.
    static func expand(
        _ chainingKey: SecretBytes, _ input: UnsafeRawBufferPointer, into firstCount: Int, and secondCount: Int
    ) -> (SecretBytes, SecretBytes) {
        withScratch(2 * hashByteCount + 1) { scratch in
            let temporaryKey = UnsafeMutableRawBufferPointer(rebasing: scratch.prefix(hashByteCount))
            // The first output with one more byte is what the second is made of.
            let output = UnsafeMutableRawBufferPointer(rebasing: scratch.dropFirst(hashByteCount).prefix(hashByteCount))
            let outputAndNumber = UnsafeMutableRawBufferPointer(rebasing: scratch.dropFirst(hashByteCount))
            chainingKey.withUnsafeBytes { authenticate(input, key: $0, into: temporaryKey) }
            let key = UnsafeRawBufferPointer(temporaryKey)
            output[0] = 1
            authenticate(UnsafeRawBufferPointer(rebasing: output.prefix(1)), key: key, into: output)
            let first = SecretBytes(count: firstCount) {
                $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: output.prefix(firstCount)))
            }
            outputAndNumber[hashByteCount] = 2
            authenticate(UnsafeRawBufferPointer(outputAndNumber), key: key, into: output)
            let second = SecretBytes(count: secondCount) {
                $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: output.prefix(secondCount)))
            }
            return (first, second)
        }
    }

    /// HMAC. The message may be where the result goes.
    private static func authenticate(
        _ message: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer, into result: UnsafeMutableRawBufferPointer
    ) {
        precondition(key.count <= blockByteCount, "a key fits a block")
        withScratch(blockByteCount) { block in
            block.copyMemory(from: key)
            for index in block.indices { block[index] ^= 0x36 }
            var inner = Blake2b(byteCount: hashByteCount)
            inner.update(raw: UnsafeRawBufferPointer(block))
            inner.update(raw: message)
            inner.finalize(into: result)
            for index in block.indices { block[index] ^= 0x36 ^ 0x5C }
            var outer = Blake2b(byteCount: hashByteCount)
            outer.update(raw: UnsafeRawBufferPointer(block))
            outer.update(raw: UnsafeRawBufferPointer(result))
            outer.finalize(into: result)
        }
    }
}
