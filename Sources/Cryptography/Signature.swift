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
        guard bytes.count == Self.byteCount, let first = Digest(bytes: bytes.prefix(Digest.byteCount)),
            let second = Digest(bytes: bytes.suffix(Digest.byteCount))
        else { return nil }
        self.first = first
        self.second = second
    }

    /// The bytes.
    public var bytes: [UInt8] { first.bytes + second.bytes }
}
