import Foundation
import Simulation

/// What messages cost in a crowd: a line of JSON, or a small table.
struct CrowdLine: Codable {
    /// What was sent in one part of the run, by kind.
    struct Part: Codable {
        let seconds: Double
        let written: Int
        let deliveries: Int
        let messages: [String: Int]
        let bytes: [String: Int]

        init(_ part: TrafficPart) {
            (seconds, written, deliveries) = (part.seconds, part.written, part.deliveries)
            let counts = part.traffic.counts.map { ("\($0.key)", $0.value) }
            messages = Dictionary(uniqueKeysWithValues: counts.map { ($0.0, $0.1.messages) })
            bytes = Dictionary(uniqueKeysWithValues: counts.map { ($0.0, $0.1.bytes) })
        }
    }

    let nodes: Int
    let loss: Double
    /// How many milliseconds what is sent takes at most; 0 for 5.
    let slowness: Int
    /// How many nodes lie.
    let liars: Int
    let seed: UInt64
    let messagesPerOperation: Double
    let bytesPerDelivery: Double
    let comparisonsPerNodeSecond: Double
    let idleMessagesPerNodeSecond: Double
    /// The time until a message was everywhere, by the share of the messages.
    let delayMilliseconds: [String: Double]
    let incomplete: Int
    let cpuSeconds: Double
    let peakMegabytes: Int
    /// What was sent while nodes met, while people wrote, and while nobody did anything.
    let parts: [String: Part]
    let excesses: [String]
    let violations: [Violation]

    enum CodingKeys: String, CodingKey {
        case nodes, loss, slowness, liars, seed, incomplete, parts, excesses, violations
        case messagesPerOperation = "messages_per_operation"
        case bytesPerDelivery = "bytes_per_delivery"
        case comparisonsPerNodeSecond = "anti_entropy_per_node_second"
        case idleMessagesPerNodeSecond = "idle_messages_per_node_second"
        case delayMilliseconds = "delay_ms"
        case cpuSeconds = "cpu_s"
        case peakMegabytes = "peak_mb"
    }

    init(_ outcome: Outcome, loss: Double, slowness: Int, cpuMilliseconds: Int) {
        let (report, delays) = (outcome.tally.traffic, outcome.tally.delays)
        nodes = outcome.plan.nodes
        self.loss = loss
        self.slowness = slowness
        liars = outcome.plan.liars.count
        seed = outcome.plan.seed
        messagesPerOperation = report.writing?.messagesPerOperation ?? 0
        bytesPerDelivery = report.writing?.bytesPerDelivery ?? 0
        comparisonsPerNodeSecond = report.writing?.comparisonsPerNodeSecond ?? 0
        idleMessagesPerNodeSecond = report.resting?.messagesPerNodeSecond ?? 0
        delayMilliseconds = [
            "p50": delays.milliseconds(ofShare: 0.5), "p99": delays.milliseconds(ofShare: 0.99),
            "max": delays.milliseconds(ofShare: 1),
        ]
        incomplete = delays.incomplete(among: outcome.plan.nodes)
        cpuSeconds = Double(cpuMilliseconds) / 1_000
        peakMegabytes = Self.peakMegabytes
        parts = [
            "gathering": report.gathering, "writing": report.writing, "resting": report.resting,
        ].compactMapValues { $0.map(Part.init) }
        excesses = TrafficBounds().excesses(of: outcome)
        violations = outcome.violations
    }

    /// As much memory as this process ever had.
    private static var peakMegabytes: Int {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return usage.ru_maxrss / 1_024
    }

    /// The line of JSON, without its end.
    var text: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(self) else { preconditionFailure("figures and words are JSON") }
        return String(decoding: data, as: UTF8.self)
    }

    /// The table: a figure a line, then the messages of each kind for each operation.
    var table: String {
        func row(_ name: String, _ figures: Double...) -> String {
            let texts = figures.map { String(format: "%.1f", $0) }.joined(separator: " / ")
            return name.padding(toLength: 44, withPad: " ", startingAt: 0) + texts
        }
        let bounds = TrafficBounds()
        var rows = [
            "\(nodes) nodes, \(loss * 100) % of the connections lost a second, \(liars) lie, seed \(seed)"
                + (slowness > 0 ? ", everything takes up to \(slowness) ms" : ""),
            row(
                "messages for each operation, bound", messagesPerOperation,
                bounds.messagesPerReceiver * Double(nodes - 1)),
            row("bytes for each receiver, bound", bytesPerDelivery, bounds.bytesPerReceiver),
            row("anti-entropy a node and second, bound", comparisonsPerNodeSecond, bounds.comparisonsPerNodeSecond),
            row(
                "idle messages a node and second, bound", idleMessagesPerNodeSecond,
                bounds.quietMessagesPerNodeSecond(among: nodes)),
            row(
                "everywhere after ms, p50 / p99 / max", delayMilliseconds["p50"] ?? 0, delayMilliseconds["p99"] ?? 0,
                delayMilliseconds["max"] ?? 0),
            row("messages that are not everywhere", Double(incomplete)),
            row("seconds of the processor, peak MB", cpuSeconds, Double(peakMegabytes)),
        ]
        let writing = parts["writing"]
        let written = Double(max(writing?.written ?? 1, 1))
        for (kind, count) in (writing?.messages ?? [:]).sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
            rows.append(row("  " + kind, Double(count) / written))
        }
        rows += violations.map { "invariant \($0.checker) at \($0.at) ms: \($0.what)" }
        return rows.joined(separator: "\n") + "\n"
    }
}
