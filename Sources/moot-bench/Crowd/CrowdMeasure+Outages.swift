import LocalAPIClient
import LocalAPIModel

/// How soon it is noticed that somebody is gone, and how soon they are up to date again.
extension CrowdMeasure {
    /// Kills one process, lets others write meanwhile, and starts it again.
    func loseProcess() async throws {
        let (lost, others) = (nodes[nodes.count - 2], nodes.filter { $0.number != nodes.count - 1 })
        try await becomeCalm()
        values[.killNoticedSeconds] = try await notice(lost, by: others) { try await lost.kill() }
        let before = try await others[0].stored(of: group) ?? 0
        let share = Self.burst / Self.writers
        for number in 0..<Self.writers {
            // In commits of many: what is measured is how they are fetched.
            let texts = (0..<share).map { Self.text("missed \(number)", $0) }
            _ = try await others[number % others.count].api.send(texts, to: group)
        }
        for node in others {
            try await Crowd.wait("\(node.name) has what the lost one misses", seconds: 120) {
                try await node.stored(of: self.group).map { $0 >= before + Self.burst } ?? false
            }
        }
        // All share the processors: what the others have to do would be in the time of the one who returns.
        try await finishWork()
        let begin = ContinuousClock.now
        try await lost.start(peers: network.isPrivate ? [] : others.map(\.address))
        try await Crowd.wait("the lost one is up to date", every: .milliseconds(10)) {
            try await lost.stored(of: self.group).map { $0 >= before + Self.burst } ?? false
        }
        values[.returnSeconds] = begin.duration(to: .now).seconds
    }

    /// Pulls the cable of one host.
    func loseLink() async throws {
        guard network.isPrivate else { return }
        let (lost, others) = (nodes[1], nodes.filter { $0.number != 2 })
        try await becomeCalm()
        values[.linkLossNoticedSeconds] = try await notice(lost, by: others) {
            try network.setLink(of: lost.number, isUp: false)
        }
    }

    /// How long it takes until all others show that somebody is gone, in seconds.
    private func notice(
        _ lost: CrowdNode, by others: [CrowdNode], after outage: () async throws -> Void
    ) async throws -> Double {
        for node in others {
            try await Crowd.wait("\(node.name) sees \(lost.name)") { try await node.isOnline(lost.user) }
        }
        let losses = CrowdLosses(of: lost.user)
        return try await CrowdEvents.follow(others, for: losses) {
            let begin = ContinuousClock.now
            try await outage()
            try await Crowd.wait("all notice that \(lost.name) is gone") { losses.count == others.count }
            return begin.duration(to: losses.last ?? .now).seconds
        }
    }
}
