/// Many people in one group, of whom some write at once: what a message costs, and how soon it is everywhere.
extension Plan {
    /// Messages that are written in a second in all.
    package static let crowdMessagesPerSecond = 20
    /// How many people write.
    package static let crowdWriters = 20
    /// How long everybody has to find each other, in milliseconds.
    private static let meetingTime = 4_000
    /// How long the group is left alone after it was made, in milliseconds: what its making costs is over then.
    private static let settlingTime = 6_000
    /// How long messages have after the last one was written, in milliseconds.
    private static let aftermath = 1_000

    /// Makes up a plan of a crowd: a group of everybody, in which some write ``crowdMessagesPerSecond`` messages a
    /// second.
    ///
    /// - Parameters:
    ///   - nodes: hosts, 2 or more; nobody lies.
    ///   - messages: how many are written in all.
    ///   - writers: how many of them write, at most. Each hears from everybody what was received.
    ///   - loss: the share of the connections that is lost in a second.
    package init(crowdOf nodes: Int, messages: Int, writers: Int = crowdWriters, loss: Double = 0, seed: UInt64) {
        self.init(seed: seed, nodes: nodes, profile: .crowd)
        var random = SeededRandom(seed: seed, part: 604)
        steps = [
            Step(
                at: Self.meetingTime, host: Int.random(in: 0..<nodes, using: &random), kind: .create, conversation: 0,
                other: 1, value: nodes)
        ]
        let writers = Array((0..<nodes).shuffled(using: &random).prefix(writers))
        let (began, time) = (Self.meetingTime + Self.settlingTime, messages * 1_000 / Self.crowdMessagesPerSecond)
        for number in 0..<messages {
            steps.append(
                Step(
                    at: began + number * time / max(messages, 1), host: writers[number % writers.count], kind: .send,
                    conversation: 1, other: 60, value: 1))
        }
        let connections = Double(nodes * (nodes - 1) / 2)
        for _ in 0..<Int((connections * loss * Double(time) / 1_000).rounded()) {
            steps.append(
                Step(
                    at: Int.random(in: began..<(began + max(time, 1)), using: &random),
                    host: Int.random(in: 0..<nodes, using: &random), kind: .reset, conversation: 0,
                    other: Int.random(in: 0..<(1 << 16), using: &random), value: 0))
        }
        end = began + time + Self.aftermath
        steps.sort { ($0.at, $0.host, $0.kind.rawValue) < ($1.at, $1.host, $1.kind.rawValue) }
    }

    /// Makes up a plan of a crowd with every kind of trouble: the network falls apart in the middle, one node in twenty
    /// crashes, one in ten lies.
    ///
    /// - Parameters:
    ///   - nodes: hosts, 10 or more.
    ///   - messages: how many are written in all.
    package init(troubledCrowdOf nodes: Int, messages: Int, loss: Double, seed: UInt64) {
        self.init(crowdOf: nodes, messages: messages, loss: loss, seed: seed)
        var random = SeededRandom(seed: seed, part: 606)
        let shuffled = (0..<nodes).shuffled(using: &random)
        liars = shuffled.prefix(max(1, nodes / 10)).sorted()
        let crashing = shuffled.dropFirst(liars.count).prefix(max(1, nodes / 20))
        let (began, time) = (writingBegins, end - Self.aftermath - writingBegins)
        steps.append(
            Step(
                at: began + time / 2, host: 0, kind: .isolate, conversation: Int.random(in: 1..<63, using: &random),
                other: 0, value: Self.partition))
        let crashes: [Step.Kind] = [.kill, .loseBeforeWriting, .loseBeforeSyncing, .loseAfterSyncing]
        let lies: [Step.Kind] = [
            .fork, .forge, .overreach, .corrupt, .withhold, .flood, .hide, .misseal, .falsifyReceipts, .falsifyTyping,
        ]
        for (hosts, kinds) in [(Array(crashing), crashes), (liars, lies)] {
            for (number, host) in hosts.enumerated() {
                steps.append(
                    Step(
                        at: Int.random(in: began..<(began + max(time, 1)), using: &random), host: host,
                        kind: kinds[number % kinds.count], conversation: Int.random(in: 0..<64, using: &random),
                        other: Int.random(in: 0..<64, using: &random), value: Int.random(in: 50...3_000, using: &random)
                    ))
            }
        }
        steps.sort { ($0.at, $0.host, $0.kind.rawValue) < ($1.at, $1.host, $1.kind.rawValue) }
    }

    /// How long the network is in parts, in milliseconds.
    private static let partition = 3_000

    /// When people begin to write, in milliseconds.
    var writingBegins: Int { steps.first { $0.kind == .send }?.at ?? 0 }

    /// Whether nothing goes wrong in it: nobody lies, nothing fails, and the network loses nothing.
    package var isFaultless: Bool {
        liars.isEmpty && (profile == .calm || profile == .crowd) && steps.allSatisfy(\.kind.isCommand)
    }
}
