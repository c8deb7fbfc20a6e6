/// What is measured of a crowd.
enum CrowdMetric: String, Codable, CaseIterable {
    case idleBytesPerSecond, idleProcessorPercent, wireBytes, processorMilliseconds, liveMedianMilliseconds,
        liveNinetyNineMilliseconds, storedPerSecond, knownSeconds, groupSeconds, killNoticedSeconds,
        linkLossNoticedSeconds, returnSeconds

    /// What it is, for people.
    var title: String {
        switch self {
        case .idleBytesPerSecond: "idle: bytes/s that a node sends"
        case .idleProcessorPercent: "idle: processor time of a node, %"
        case .wireBytes:
            "bytes on the wire for each message of \(CrowdMeasure.textLength) bytes and receiver, at 20/s, all included"
        case .processorMilliseconds: "processor time of all nodes for each of these messages, ms"
        case .liveMedianMilliseconds: "live: request → event at another node, p50, ms"
        case .liveNinetyNineMilliseconds: "live: the same, p99, ms"
        case .storedPerSecond:
            "\(CrowdMeasure.burst) messages by \(CrowdMeasure.writers) writers, a request each, stored by all: messages/s"
        case .knownSeconds: "all know all after the last start, s"
        case .groupSeconds: "a group of all is everywhere, s"
        case .killNoticedSeconds: "all notice a killed process, s"
        case .linkLossNoticedSeconds: "all notice a pulled cable, s"
        case .returnSeconds: "start → up to date after \(CrowdMeasure.burst) missed messages, s"
        }
    }

    /// Whether more is better.
    var isRate: Bool { self == .storedPerSecond }

    /// The most that it should be, of a rate the least; nil where no goal is set for so many nodes.
    func goal(nodes: Int) -> Double? {
        switch self {
        case .wireBytes: return 700
        case .processorMilliseconds: return 0.6 * Double(nodes)
        case .killNoticedSeconds: return 0.5
        case .linkLossNoticedSeconds: return 5
        case .returnSeconds: return 0.3
        default: break
        }
        guard let column = [10, 30, 60].firstIndex(of: nodes) else { return nil }
        let goals: [Double] =
            switch self {
            case .idleBytesPerSecond: [600, 800, 900]
            case .idleProcessorPercent: [0.05, 0.1, 0.2]
            case .liveMedianMilliseconds: [4, 12, 30]
            case .liveNinetyNineMilliseconds: [20, 60, 150]
            case .storedPerSecond: [400, 120, 60]
            case .knownSeconds: [1, 2, 4]
            case .groupSeconds: [0.3, 0.6, 1.5]
            case .wireBytes, .processorMilliseconds, .killNoticedSeconds, .linkLossNoticedSeconds, .returnSeconds: []
            }
        return goals.isEmpty ? nil : goals[column]
    }
}
