/// A small random source of which the whole future follows from a seed (SplitMix64; Steele, Lea and Flood, OOPSLA
/// 2014).
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    /// A source of its own for one part of a run, so that parts do not move each other's numbers.
    init(seed: UInt64, part: UInt64) {
        var source = SeededRandom(seed: seed ^ (part &* 0xD1B5_4A32_D192_ED03))
        state = source.next()
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
