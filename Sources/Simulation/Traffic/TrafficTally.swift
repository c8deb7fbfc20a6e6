import Replication

/// The messages that nodes gave to channels, by kind.
package struct TrafficTally: Hashable, Sendable {
    /// How many messages, and how many bytes they have before they are encrypted.
    package struct Count: Hashable, Sendable {
        /// Messages.
        package var messages = 0
        /// Their bytes, packed where they are.
        package var bytes = 0

        fileprivate static func + (left: Count, right: Count) -> Count {
            Count(messages: left.messages + right.messages, bytes: left.bytes + right.bytes)
        }
    }

    /// What was counted of each kind.
    package private(set) var counts: [TrafficKind: Count] = [:]

    /// Counts nothing yet.
    package init() {}

    /// Counts a message.
    ///
    /// - Parameter byteCount: what it takes in its frames.
    mutating func count(_ message: [UInt8], byteCount: Int) {
        let kind = TrafficKind(of: message)
        counts[kind] = (counts[kind] ?? Count()) + Count(messages: 1, bytes: byteCount)
    }

    /// Everything that is sent for some purposes.
    package func total(of purposes: Set<MessagePurpose>) -> Count {
        counts.reduce(Count()) { sum, count in
            count.key.purpose.map(purposes.contains) == true ? sum + count.value : sum
        }
    }

    /// What came since an earlier count.
    package func since(_ earlier: TrafficTally) -> TrafficTally {
        var rest = self
        for (kind, count) in earlier.counts {
            rest.counts[kind, default: Count()].messages -= count.messages
            rest.counts[kind, default: Count()].bytes -= count.bytes
        }
        rest.counts = rest.counts.filter { $0.value.messages > 0 }
        return rest
    }

    /// Each kind with its count, the highest first: `status of content 1200.0, batch of content 300.0`.
    ///
    /// - Parameters:
    ///   - figure: what is told of each kind.
    ///   - share: what a count is divided by, such as the operations that were written meanwhile.
    package func summary(of figure: KeyPath<Count, Int> = \.messages, dividedBy share: Double = 1) -> String {
        counts.map { (kind: $0.key, figure: $0.value[keyPath: figure]) }
            .sorted { ($1.figure, $0.kind) < ($0.figure, $1.kind) }
            .map { entry in "\(entry.kind) \((Double(entry.figure) / max(share, 1) * 100).rounded() / 100)" }
            .joined(separator: ", ")
    }
}
