/// Order statistics of measured values.
struct Statistics {
    private let sorted: [Double]

    init(_ values: [Double]) {
        precondition(!values.isEmpty, "statistics of nothing")
        sorted = values.sorted()
    }

    var median: Double { quantile(0.5) }
    var maximum: Double { sorted[sorted.count - 1] }

    /// The smallest value that a share of all values does not exceed.
    func quantile(_ share: Double) -> Double {
        let index = Int((share * Double(sorted.count)).rounded(.up)) - 1
        return sorted[min(max(index, 0), sorted.count - 1)]
    }
}

/// Runs `body` and says how long it took, in seconds.
func seconds(_ body: () throws -> Void) rethrows -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    try body()
    return start.duration(to: clock.now).seconds
}

extension Duration {
    /// The same length in seconds.
    var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }

    /// The same length in milliseconds.
    var milliseconds: Double { seconds * 1_000 }
}
