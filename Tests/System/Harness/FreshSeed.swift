import Foundation

/// The seed of this run, for stories that try something else each time. `MOOT_TEST_SEED` repeats a run.
let freshSeed: UInt64 =
    ProcessInfo.processInfo.environment["MOOT_TEST_SEED"].flatMap { UInt64($0) } ?? .random(in: .min ... .max)

/// SplitMix64 (Steele, Lea, Flood 2014): small, and the same everywhere for the same seed.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
    }
}
