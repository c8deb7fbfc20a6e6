import CSodium

/// Secret bytes in guarded, locked memory that is wiped when the last holder lets go.
///
/// They cannot be printed, and are in no core dump where the system lets memory be locked. Making them costs system calls and at
/// least three pages, so they are for what lives as long as a connection or longer.
public final class SecretBytes: @unchecked Sendable {
    // Safe to share: the memory is written once, in the initialiser, and only read from then on.
    private let memory: UnsafeMutableRawPointer
    /// How many bytes there are.
    public let count: Int

    /// Makes room for `count` bytes and lets `fill` write them.
    public init(count: Int, fill: (UnsafeMutableRawBufferPointer) -> Void) {
        guard Sodium.isReady, let memory = sodium_malloc(count) else {
            preconditionFailure("no guarded memory is left for \(count) bytes")
        }
        self.memory = memory
        self.count = count
        fill(UnsafeMutableRawBufferPointer(start: memory, count: count))
        sodium_mprotect_readonly(memory)
    }

    /// Copies bytes; wiping the originals is the caller's.
    public convenience init(_ bytes: [UInt8]) {
        self.init(count: bytes.count) { $0.copyBytes(from: bytes) }
    }

    /// Draws bytes, which are nowhere else; the same that ``Swift/RandomNumberGenerator/bytes(_:)`` would be.
    convenience init(count: Int, using random: inout some RandomNumberGenerator) {
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
        sodium_free(memory)
    }

    /// Lends the bytes; they must not be kept.
    public func withUnsafeBytes<Result, Failure>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(start: memory, count: count))
    }

    /// The start of the bytes, for the C functions of this module.
    var start: UnsafePointer<UInt8> { UnsafePointer(memory.assumingMemoryBound(to: UInt8.self)) }
}
