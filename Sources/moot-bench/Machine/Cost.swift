import Foundation

/// What something took.
struct Cost: Codable {
    /// By a clock.
    var seconds: Double
    /// Of the processors, for all threads of this process.
    var processorSeconds: Double

    /// Begins to measure.
    static var now: Start { Start() }

    /// When something began.
    struct Start {
        private let instant = ContinuousClock.now
        private let processorSeconds = Self.processorSeconds()

        /// What it has taken until now.
        var cost: Cost {
            Cost(
                seconds: instant.duration(to: .now).seconds,
                processorSeconds: Self.processorSeconds() - processorSeconds)
        }

        private static func processorSeconds() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
    }
}
