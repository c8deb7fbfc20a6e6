import Foundation
import LocalAPIModel
import Node

/// How many messages a second everybody in a group of ten nodes on one machine stores, of messages that all of them write.
struct MootCrowd: Codable {
    /// Nodes in the group.
    static let nodes = 10
    /// Messages that are on their way to somebody at most.
    static let window = 64
    /// Messages that a node writes at once where it writes several.
    static let burst = 16

    /// With a commit and a signature for every message.
    var onePerCommit: Double
    /// With a commit and a signature for ``burst`` messages.
    var burstPerCommit: Double
    /// The same on an IRC server, which stores nothing; nil where none is installed.
    var onIRC: Double?

    static func measure(messages: Int, in folder: URL) async throws -> MootCrowd {
        var all: [BenchNode] = []
        for number in 1...nodes {
            var addresses: [String] = []
            for one in all { addresses.append(try await one.address) }
            all.append(try await BenchNode.start("Node \(number)", in: folder, peers: addresses))
        }
        let crowd = all
        for (place, one) in crowd.enumerated() {
            try await one.meets((1...nodes).filter { $0 != place + 1 }.map { "Node \($0)" })
        }
        let group = try await crowd[0].node.createGroup(name: "Crowd", members: (2...nodes).map { "Node \($0)" })
        try await BenchNode.wait("the group arrives") {
            for one in crowd where await one.node.status().conversations.isEmpty { return false }
            return true
        }
        // The first message of each node makes it an epoch or waits for one: not what is measured.
        _ = try await rate(messages: 2 * nodes, burst: 1, of: crowd, in: group.id)
        let single = try await rate(messages: messages, burst: 1, of: crowd, in: group.id)
        let several = try await rate(messages: 2 * messages, burst: burst, of: crowd, in: group.id)
        for one in crowd { await one.node.stop() }
        return MootCrowd(onePerCommit: single, burstPerCommit: several)
    }

    /// Lets all write until each has stored everything of the others; messages a second.
    private static func rate(
        messages: Int, burst: Int, of crowd: [BenchNode], in group: String
    ) async throws -> Double {
        let share = messages / crowd.count / burst
        let sent = share * burst * crowd.count
        let progress = DeliveryWindow(limit: window, receivers: crowd.count - 1)
        var watches: [Task<Void, Never>] = []
        for one in crowd {
            let events = await one.node.subscribe().events
            let expected = sent - share * burst
            let user = await one.node.identity().user
            watches.append(
                Task {
                    var seen = 0
                    for await event in events where seen < expected {
                        guard let message = event.event.message, message.kind == .text, message.sender != user else {
                            continue
                        }
                        seen += 1
                        await progress.arrived(message.id)
                        if seen == expected { break }
                    }
                })
        }
        let clock = ContinuousClock()
        let begin = clock.now
        try await withThrowingTaskGroup(of: Void.self) { writers in
            for one in crowd {
                writers.addTask {
                    for number in 0..<share {
                        await progress.enter(burst)
                        let texts = (0..<burst).map { crowdText(number * burst + $0) }
                        _ = try await one.node.send(texts, to: group)
                    }
                }
            }
            try await writers.waitForAll()
        }
        for watch in watches { await watch.value }
        return Double(sent) / begin.duration(to: clock.now).seconds
    }
}

/// A text of 100 bytes.
func crowdText(_ number: Int) -> String {
    let text = "message \(number) "
    return text + String(repeating: "x", count: max(0, 100 - text.utf8.count))
}

/// Lets writers go on only while few messages have not reached everybody.
private actor DeliveryWindow {
    private let receivers: Int
    private var free: Int
    private var waiting: [(count: Int, writer: CheckedContinuation<Void, Never>)] = []
    private var arrivals: [String: Int] = [:]

    init(limit: Int, receivers: Int) {
        free = limit
        self.receivers = receivers
    }

    /// Waits for room for some messages.
    func enter(_ count: Int) async {
        if waiting.isEmpty, free >= count {
            free -= count
            return
        }
        await withCheckedContinuation { waiting.append((count, $0)) }
    }

    /// A message is stored by one more node.
    func arrived(_ message: String) {
        arrivals[message, default: 0] += 1
        guard arrivals[message] == receivers else { return }
        arrivals[message] = nil
        free += 1
        while let first = waiting.first, first.count <= free {
            free -= first.count
            waiting.removeFirst().writer.resume()
        }
    }
}
