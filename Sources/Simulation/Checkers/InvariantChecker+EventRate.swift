/// What happens in one second of virtual time.
struct EventRate {
    private var second = 0
    private var events = 0

    /// Counts an event at a time in microseconds; how many there were in its second so far.
    mutating func count(at now: Int) -> Int {
        if now / 1_000_000 != second { (second, events) = (now / 1_000_000, 0) }
        events += 1
        return events
    }
}

/// Storms and busy loops: nodes that go on although nothing is new.
extension InvariantChecker {
    /// Events a second for each pair of hosts; far beyond what the steps of a plan cause.
    private static let eventsPerPair = 2_000
    /// Messages a second for each pair of hosts in a quiet network: pings, answers, and late comparisons.
    private static let quietMessagesPerPair = 6

    /// Something happens in the world.
    mutating func countEvent(in world: World) {
        let pairs = world.hosts.count * (world.hosts.count - 1)
        // Checked when it goes wrong only: this is asked for every event.
        guard eventRate.count(at: world.now) > Self.eventsPerPair * pairs else { return }
        report(.boundedTraffic, world, "more than \(Self.eventsPerPair * pairs) things happen in a second")
    }

    /// Whether so many messages in so many seconds are what a network sends in which nobody does anything.
    static func isQuiet(_ messages: Int, in seconds: Int, of world: World) -> Bool {
        messages <= quietMessagesPerPair * world.hosts.count * (world.hosts.count - 1) * seconds
    }

    /// Some seconds went by in which nobody did anything.
    mutating func rested(_ seconds: Int, sending messages: Int, in world: World) {
        expect(
            Self.isQuiet(messages, in: seconds, of: world), .boundedTraffic, world,
            "\(messages) messages are sent in \(seconds) s in which nobody does anything")
    }
}
