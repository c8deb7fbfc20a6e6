/// 32 bytes of BLAKE2b-256, or of anything else that is named by 32 bytes.
///
/// Stored inline as four words, so that comparing and hashing touch no heap. Less-than is the order of the bytes.
public struct Digest: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// How many bytes a digest has.
    public static let byteCount = 32

    private let words: (UInt64, UInt64, UInt64, UInt64)

    /// Takes over exactly 32 bytes.
    ///
    /// - Precondition: `raw` has 32 bytes.
    public init(raw: UnsafeRawBufferPointer) {
        precondition(raw.count == Self.byteCount, "a digest has 32 bytes")
        func word(_ index: Int) -> UInt64 {
            UInt64(bigEndian: raw.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
        }
        words = (word(0), word(1), word(2), word(3))
    }

    /// Takes over the 32 bytes that `fill` writes.
    init(filledBy fill: (UnsafeMutableRawBufferPointer) -> Void) {
        var bytes: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        self = Swift.withUnsafeMutableBytes(of: &bytes) { memory in
            fill(memory)
            return Digest(raw: UnsafeRawBufferPointer(memory))
        }
    }

    /// Takes over 32 bytes; nil for any other number.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        self =
            bytes.withContiguousStorageIfAvailable { Digest(raw: UnsafeRawBufferPointer($0)) }
            ?? Array(bytes).withUnsafeBytes { Digest(raw: $0) }
    }

    /// Reads 64 lowercase hexadecimal digits; nil for anything else.
    public init?(hexadecimal: some StringProtocol) {
        guard hexadecimal.utf8.count == 2 * Self.byteCount, let bytes = HexadecimalText.decode(hexadecimal) else {
            return nil
        }
        self.init(bytes: bytes)
    }

    /// The bytes, for as long as `body` runs.
    public func withUnsafeBytes<Result, Failure>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let ordered = (words.0.bigEndian, words.1.bigEndian, words.2.bigEndian, words.3.bigEndian)
        return try Swift.withUnsafeBytes(of: ordered, body)
    }

    /// The bytes.
    public var bytes: [UInt8] { withUnsafeBytes { Array($0) } }

    /// 64 lowercase hexadecimal digits.
    public var hexadecimal: String { withUnsafeBytes { HexadecimalText.encode($0) } }

    /// The hexadecimal digits.
    public var description: String { hexadecimal }

    /// Equal bytes.
    public static func == (left: Digest, right: Digest) -> Bool { left.words == right.words }

    /// The order of the bytes.
    public static func < (left: Digest, right: Digest) -> Bool { left.words < right.words }

    /// Feeds all bytes to a hasher. The first eight would not do: a peer's message names ids that nobody has hashed, so
    /// they may begin alike at no cost, and a table of them would become a list.
    public func hash(into hasher: inout Hasher) {
        Swift.withUnsafeBytes(of: words) { hasher.combine(bytes: $0) }
    }
}
