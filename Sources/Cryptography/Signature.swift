/// An Ed25519 signature: 64 bytes, stored inline.
public struct Signature: Hashable, Sendable {
    /// How many bytes a signature has.
    public static let byteCount = 64

    private let first: Digest
    private let second: Digest

    /// Joins R and S.
    init(_ first: Digest, _ second: Digest) {
        self.first = first
        self.second = second
    }

    /// Takes over 64 bytes; nil for any other number.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        self =
            bytes.withContiguousStorageIfAvailable { Signature(raw: UnsafeRawBufferPointer($0)) }
            ?? Array(bytes).withUnsafeBytes { Signature(raw: $0) }
    }

    private init(raw: UnsafeRawBufferPointer) {
        first = Digest(raw: UnsafeRawBufferPointer(rebasing: raw.prefix(Digest.byteCount)))
        second = Digest(raw: UnsafeRawBufferPointer(rebasing: raw.suffix(Digest.byteCount)))
    }

    /// The bytes.
    public var bytes: [UInt8] { first.bytes + second.bytes }
}
