import Time

/// Which lines of the log came lately: what happens all the time is told once in a while, with how often it happened.
struct RepeatedLines {
    /// Lines that are remembered. What others do can make ever new ones.
    static let maximumLines = 256

    private struct Line {
        let end: Instant
        var omitted = 0
    }

    private var lines: [String: Line] = [:]

    /// How many lines are remembered.
    var count: Int { lines.count }

    /// Counts a line.
    ///
    /// - Parameter interval: for how long an equal one says nothing new.
    /// - Returns: how many equal ones were left out before this one; nil if this one is left out, too.
    mutating func take(_ key: String, for interval: Duration, at now: Instant) -> Int? {
        if let line = lines[key], now < line.end {
            lines[key]?.omitted += 1
            return nil
        }
        let omitted = lines.removeValue(forKey: key)?.omitted ?? 0
        if lines.count >= Self.maximumLines { makeRoom(at: now) }
        lines[key] = Line(end: now + interval)
        return omitted
    }

    /// Forgets what may be told again; if nothing may, whatever may be told first.
    private mutating func makeRoom(at now: Instant) {
        lines = lines.filter { $0.value.end > now }
        guard lines.count >= Self.maximumLines, let first = lines.min(by: { $0.value.end < $1.value.end }) else {
            return
        }
        lines[first.key] = nil
    }
}
