import Time

/// When to shout: three times in the first second, then about every half minute.
public struct BeaconSchedule: Sendable {
    private static let first: [Duration] = [.zero, .milliseconds(250), .seconds(1)]
    private static let interval: Duration = .seconds(30)
    private static let jitter = 0.2

    /// This start's random id.
    public let instance: UInt64
    /// When the next beacon is due; nil before the start.
    public private(set) var next: Instant?
    private var start: Instant?
    private var sent = 0

    /// Prepares the schedule of one start of a node.
    public init(instance: UInt64) {
        self.instance = instance
    }

    /// Begins, or begins again after the network has changed.
    public mutating func begin(at now: Instant) {
        start = now
        sent = 0
        next = now
    }

    /// Whether a beacon is due now; if so the next one is planned.
    public mutating func isDue(at now: Instant, using random: inout some RandomNumberGenerator) -> Bool {
        guard let due = next, let start, due <= now else { return false }
        sent += 1
        if sent < Self.first.count {
            next = start + Self.first[sent]
        } else {
            next = now + Self.interval * Double.random(in: (1 - Self.jitter)...(1 + Self.jitter), using: &random)
        }
        return true
    }
}
