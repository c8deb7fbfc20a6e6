import OperationLog

/// How long it takes until everybody has a message.
package struct DeliveryDelays: Hashable, Sendable {
    private struct Spread: Hashable {
        let writtenAt: Int
        var lastAt: Int
        /// Who has had it: some lost it and got it again.
        var holders: Set<Int> = []
    }

    private var spreads: [OperationID: Spread] = [:]

    /// Measures nothing yet.
    package init() {}

    /// A node made a message durable, at a time in microseconds. The first is its author, except for a branch of a
    /// forked chain: its author may get that back from others.
    mutating func hold(_ message: OperationID, by host: Int, at now: Int) {
        var spread = spreads[message] ?? Spread(writtenAt: now, lastAt: now)
        if spread.holders.insert(host).inserted { spread.lastAt = now }
        spreads[message] = spread
    }

    /// Messages that were written.
    package var messages: Int { spreads.count }

    /// Messages that fewer nodes have had than that. A node that was killed after it had stored a message and before it
    /// showed it does not count.
    package func incomplete(among nodes: Int) -> Int { spreads.values.count { $0.holders.count < nodes } }

    /// For each message the time until the last node had it, in milliseconds, ascending.
    package var milliseconds: [Double] { spreads.values.map { Double($0.lastAt - $0.writtenAt) / 1_000 }.sorted() }

    /// The time within which a share of the messages were everywhere, in milliseconds; 0 if there are none.
    package func milliseconds(ofShare share: Double) -> Double {
        let sorted = milliseconds
        guard !sorted.isEmpty else { return 0 }
        return sorted[min(sorted.count - 1, max(0, Int((Double(sorted.count) * share).rounded(.up)) - 1))]
    }
}
