import CSodium

/// A short secret in guarded, locked memory that is wiped when the last holder lets go.
///
/// It cannot be printed, and is in no core dump where the system lets memory be locked.
public final class SecretBytes: @unchecked Sendable {
    // Safe to share: the memory is written once, in the initializer, and only read from then on.
    private let memory: UnsafeMutableRawPointer
    /// How many bytes there are.
    public let count: Int

    /// The most bytes there may be: the longest secret of the protocol.
    public static let maximumBytes = SecretMemory.slotByteCount

    /// Makes room for `count` bytes and lets `fill` write them.
    ///
    /// - Precondition: no more than ``maximumBytes``.
    public init(count: Int, fill: (UnsafeMutableRawBufferPointer) -> Void) {
        precondition(count <= Self.maximumBytes, "a secret is short")
        memory = SecretMemory.allocate()
        self.count = count
        fill(UnsafeMutableRawBufferPointer(start: memory, count: count))
    }

    /// Copies bytes; wiping the originals is the caller's.
    public convenience init(_ bytes: [UInt8]) {
        self.init(count: bytes.count) { $0.copyBytes(from: bytes) }
    }

    /// Draws bytes, which are nowhere else; the same that ``Swift/RandomNumberGenerator/bytes(_:)`` would be.
    public convenience init(count: Int, using random: inout some RandomNumberGenerator) {
        self.init(count: count) { memory in
            for start in stride(from: 0, to: count, by: 8) {
                Swift.withUnsafeBytes(of: random.next().littleEndian) { word in
                    UnsafeMutableRawBufferPointer(rebasing: memory[start...]).copyBytes(
                        from: word.prefix(count - start))
                }
            }
        }
    }

    deinit {
        SecretMemory.release(memory)
    }

    /// Lends the bytes; they must not be kept.
    public func withUnsafeBytes<Result, Failure>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(start: memory, count: count))
    }

    /// Whether both are the same; of those as long as each other, in the same time wherever they differ.
    public func isSame(as other: SecretBytes) -> Bool {
        count == other.count && sodium_memcmp(memory, other.memory, count) == 0
    }

    /// The start of the bytes, for the C functions of this module.
    var start: UnsafePointer<UInt8> { UnsafePointer(memory.assumingMemoryBound(to: UInt8.self)) }

    /// BLAKE2b-256 of bytes under this secret: a commitment, which tells nothing of it.
    public func digest(of bytes: [UInt8]) -> Digest {
        Digest { crypto_generichash($0.octets, $0.count, bytes, UInt64(bytes.count), start, count) }
    }

    /// Lends the key that BLAKE2b-256 makes of bytes under this secret; it must not be kept.
    public func withDerivedKey<Result>(of bytes: [UInt8], _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        withScratch(Digest.byteCount) { key in
            crypto_generichash(key.octets, key.count, bytes, UInt64(bytes.count), start, count)
            return body(UnsafeRawBufferPointer(key))
        }
    }
}
