import Foundation
import Simulation

/// An outcome as one line of JSON.
struct OutcomeLine: Codable {
    let seed: UInt64
    let profile: Profile
    let nodes: Int
    let operations: Int
    let deliveries: Int
    let refusals: [String: Int]
    let faults: [String: Int]
    let messages: Int
    /// How often somebody tried to read what is not for them.
    let attempts: Int
    let bytes: Int
    let virtualSeconds: Double
    let healingSeconds: Double
    let cpuMilliseconds: Int
    let trace: String
    let violations: [Violation]

    enum CodingKeys: String, CodingKey {
        case seed, profile, nodes, operations, deliveries, refusals, faults, messages, attempts, bytes,
            trace, violations
        case virtualSeconds = "virtual_seconds"
        case healingSeconds = "healing_seconds"
        case cpuMilliseconds = "cpu_ms"
    }

    init(_ outcome: Outcome, cpuMilliseconds: Int) {
        seed = outcome.plan.seed
        profile = outcome.plan.profile
        nodes = outcome.plan.nodes
        operations = outcome.tally.written
        deliveries = outcome.tally.deliveries
        refusals = outcome.tally.refusals
        faults = outcome.tally.faults
        messages = outcome.tally.messages
        attempts = [Invariant.removedReadNothingNewer, .newcomersReadNothingOlder].reduce(0) {
            $0 + outcome.tally.checks[$1.rawValue, default: 0]
        }
        bytes = outcome.tally.sentBytes
        virtualSeconds = Double(outcome.virtualMilliseconds) / 1_000
        healingSeconds = Double(outcome.tally.healing) / 1_000_000
        self.cpuMilliseconds = cpuMilliseconds
        trace = outcome.trace
        violations = outcome.violations
    }

    /// The line of a run that ended in a trap.
    init(trapped plan: Plan, what: String) {
        seed = plan.seed
        profile = plan.profile
        nodes = plan.nodes
        (operations, deliveries, messages, attempts, bytes, cpuMilliseconds) = (0, 0, 0, 0, 0, 0)
        (refusals, faults) = ([:], [:])
        (virtualSeconds, healingSeconds) = (0, 0)
        trace = ""
        violations = [Violation(checker: Invariant.noTraps.rawValue, at: 0, what: what)]
    }

    /// Whether the run ended in a trap.
    var isTrapped: Bool { violations.contains { $0.checker == Invariant.noTraps.rawValue } }

    /// The line, without its end.
    var text: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(self) else { preconditionFailure("figures and words are JSON") }
        return String(decoding: data, as: UTF8.self)
    }
}
