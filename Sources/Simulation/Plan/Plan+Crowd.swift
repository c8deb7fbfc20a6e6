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

    /// Makes up a plan of a crowd: a group of everybody, in which some write ``crowdMessagesPerSecond`` messages a second.
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

    /// When people begin to write, in milliseconds.
    var writingBegins: Int { steps.first { $0.kind == .send }?.at ?? 0 }

    /// Whether nothing goes wrong in it: nobody lies, nothing fails, and the network loses nothing.
    package var isFaultless: Bool {
        liars.isEmpty && (profile == .calm || profile == .crowd) && steps.allSatisfy(\.kind.isCommand)
    }
}
