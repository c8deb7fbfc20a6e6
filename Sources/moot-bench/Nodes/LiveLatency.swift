import Foundation
import LocalAPIModel
import Node
import Time

/// How long a message takes from being durable at its author to being shown at the two others of three nodes.
struct LiveLatency: Codable {
    var messages: Int
    var medianMilliseconds: Double
    var ninetyNineMilliseconds: Double
    var maximumMilliseconds: Double

    /// Twenty messages a second, as people write when it is lively.
    private static let interval: Duration = .milliseconds(50)

    static func measure(messages: Int, in folder: URL) async throws -> LiveLatency {
        let alice = try await BenchNode.start("Alice", in: folder)
        let bob = try await BenchNode.start("Bob", in: folder, peers: [try await alice.address])
        let carol = try await BenchNode.start("Carol", in: folder, peers: [try await alice.address])
        let all = [alice, bob, carol]
        try await alice.meets(["Bob", "Carol"])
        try await bob.meets(["Alice", "Carol"])
        try await carol.meets(["Alice", "Bob"])
        let group = try await alice.createGroup(name: "Bench", members: ["Bob", "Carol"])
        try await BenchNode.wait("the group arrives") {
            for one in all where await one.node.status().conversations.isEmpty { return false }
            return true
        }
        try await Task.sleep(for: .milliseconds(500))
        let clock = ContinuousClock()
        let watches = await [bob, carol].asyncMap { receiver in
            let events = await receiver.node.subscribe().events
            return Task { () -> [String: ContinuousClock.Instant] in
                var seen: [String: ContinuousClock.Instant] = [:]
                for await event in events {
                    guard let message = event.event.message, message.kind == .text else { continue }
                    seen[message.id] = clock.now
                    if seen.count == messages { break }
                }
                return seen
            }
        }
        var durable: [String: ContinuousClock.Instant] = [:]
        for number in 0..<messages {
            let sent = try await alice.node.send(["live message \(number)"], to: group.id)
            for message in sent { durable[message.id] = clock.now }
            try await Task.sleep(for: interval)
        }
        var samples: [Double] = []
        for watch in watches {
            for (id, moment) in await watch.value {
                guard let start = durable[id] else { continue }
                samples.append(start.duration(to: moment).milliseconds)
            }
        }
        guard samples.count == 2 * messages else { throw BenchError("only \(samples.count) deliveries were seen") }
        for one in all { await one.node.stop() }
        let statistics = Statistics(samples)
        return LiveLatency(
            messages: messages, medianMilliseconds: statistics.median,
            ninetyNineMilliseconds: statistics.quantile(0.99), maximumMilliseconds: statistics.maximum)
    }
}

extension Array {
    fileprivate func asyncMap<Result>(_ transform: (Element) async -> Result) async -> [Result] {
        var results: [Result] = []
        for element in self { results.append(await transform(element)) }
        return results
    }
}
