import CSodium

/// libsodium's random source. Only shells make one; cores are handed a generator.
public struct SystemRandom: RandomNumberGenerator, Sendable {
    /// Begins to draw from the system.
    public init() {}

    /// The next 64 random bits.
    public mutating func next() -> UInt64 {
        var value: UInt64 = 0
        randombytes_buf(&value, 8)
        return value
    }
}
