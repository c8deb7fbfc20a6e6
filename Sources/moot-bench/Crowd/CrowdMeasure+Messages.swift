import LocalAPIClient
import LocalAPIModel

/// What messages cost, and how soon they are elsewhere.
extension CrowdMeasure {
    /// Messages of lively talk, and when the next one comes.
    private static let talk = 300
    private static let interval: Duration = .milliseconds(50)
    /// How long acknowledgments and receipts of the last ones take at most.
    private static let tail: Duration = .seconds(2)
    /// How long to wait for all messages.
    private static let limit = 300.0

    /// Twenty messages a second, by several people in turns, while everybody has a chat open.
    func talk() async throws {
        try await becomeCalm()
        let arrivals = CrowdArrivals()
        let expected = Self.talk * (nodes.count - 1)
        let cost = try await CrowdEvents.follow(nodes, for: arrivals) {
            let before = try usage()
            try await withThrowingTaskGroup(of: Void.self) { requests in
                let begin = ContinuousClock.now
                for number in 0..<Self.talk {
                    // People do not wait until others are done.
                    try await Task.sleep(until: begin + Self.interval * number, tolerance: .zero)
                    let (writer, text, group) = (writer(number), Self.text("talk", number), group)
                    requests.addTask {
                        arrivals.ask(text)
                        _ = try await writer.api.send(text, to: group)
                    }
                }
                try await requests.waitForAll()
            }
            try await Crowd.wait("all see what was said", seconds: Self.limit) { arrivals.count == expected }
            try await Task.sleep(for: Self.tail)
            return try usage().since(before)
        }
        let times = Statistics(arrivals.milliseconds)
        values[.wireBytes] = cost.bytes / Double(expected)
        values[.processorMilliseconds] = 1_000 * cost.processorSeconds / Double(Self.talk)
        values[.liveMedianMilliseconds] = times.median
        values[.liveNinetyNineMilliseconds] = times.quantile(0.99)
    }

    /// Ten writers, as fast as their nodes answer, until all have stored everything.
    func writeBurst() async throws {
        try await becomeCalm()
        guard let before = try await nodes[0].stored(of: group) else { return }
        let begin = ContinuousClock.now
        let deadline = begin + .seconds(Self.limit)
        try await withThrowingTaskGroup(of: Void.self) { writers in
            for number in 0..<Self.writers {
                let (writer, group) = (writer(number), group)
                writers.addTask {
                    for message in 0..<Self.burst / Self.writers {
                        guard ContinuousClock.now < deadline else { return }
                        _ = try await writer.api.send(Self.text("writer \(number), message", message), to: group)
                    }
                }
            }
            try await writers.waitForAll()
        }
        for node in nodes {
            let left = ContinuousClock.now.duration(to: deadline).seconds
            try await Crowd.wait("\(node.name) has all", every: .milliseconds(20), seconds: left) {
                try await node.stored(of: self.group).map { $0 >= before + Self.burst } ?? false
            }
        }
        values[.storedPerSecond] = Double(Self.burst) / begin.duration(to: .now).seconds
    }

    /// Who writes in turn: ten of the crowd, or all of a smaller one.
    private func writer(_ number: Int) -> CrowdNode { nodes[number % Self.writers % nodes.count] }
}
