/// Yields given bytes, eight at a time; a test that draws more has gone wrong.
public struct ScriptedRandom: RandomNumberGenerator {
    private var bytes: ArraySlice<UInt8>

    /// Takes the bytes to yield.
    public init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

    /// The next eight bytes, the first one lowest.
    public mutating func next() -> UInt64 {
        precondition(bytes.count >= 8, "no bytes are left")
        defer { bytes = bytes.dropFirst(8) }
        return bytes.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
