import ArgumentParser
import Foundation
import Simulation

/// `moot-sim crowd`: measures what a message costs in one large group, and how soon it is everywhere.
struct Crowd: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure what a message costs in one large group.",
        discussion: """
            Everybody is in one group, in which up to \(Plan.crowdWriters) people write \(Plan.crowdMessagesPerSecond) messages a \
            second: once while nothing goes wrong, and once while connections are lost. With --faults they do so once more while the \
            network falls apart for three seconds, one node in twenty crashes and one in ten lies. With --slow they do so once more \
            where nothing goes wrong but that what is sent takes long. Exit status: 0 when every invariant and every bound held, else 1.
            """)

    @Option(help: "How many nodes.")
    var nodes = 64

    @Option(help: "How many messages are written.")
    var messages = 200

    @Option(help: "The share of the connections that is lost in a second, in the second run; without one if 0.")
    var loss = 0.01

    @Flag(help: "Run it once more with partitions, crashes and liars.")
    var faults = false

    @Option(help: "Run it once more where everything takes up to so many milliseconds; without if 0.")
    var slow = 0

    @Option(help: "The seed.")
    var seed: UInt64 = 1

    @Flag(help: "Print a line of JSON for each run, and no table.")
    var json = false

    func validate() throws {
        guard (2...Plan.maximumNodes).contains(nodes) else {
            throw ValidationError("--nodes is 2 to \(Plan.maximumNodes)")
        }
        guard (1...10_000).contains(messages) else { throw ValidationError("--messages is 1 to 10000") }
        guard !faults || nodes >= 10 else { throw ValidationError("--faults takes --nodes 10 or more") }
        guard (0...10_000).contains(slow) else { throw ValidationError("--slow is 0 to 10000") }
        guard (0...1).contains(loss) else { throw ValidationError("--loss is 0 to 1") }
    }

    func run() throws {
        var isFine = true
        var plans = (loss == 0 ? [0] : [0, loss]).map { loss in
            (loss: loss, plan: Plan(crowdOf: nodes, messages: messages, loss: loss, seed: seed))
        }
        if faults {
            plans.append((loss, Plan(troubledCrowdOf: nodes, messages: messages, loss: loss, seed: seed)))
        }
        var runs = plans.map { (loss: $0.loss, plan: $0.plan, slowness: 0) }
        if slow > 0 {
            runs.append((0, Plan(crowdOf: nodes, messages: messages, seed: seed), slow))
        }
        for (loss, plan, slowness) in runs {
            let (outcome, time) = Run.simulate(plan, slowness: slowness)
            let line = CrowdLine(outcome, loss: loss, slowness: slowness, cpuMilliseconds: time)
            print(json ? line.text : line.table)
            // What losses cost is no cost of messages: new connections are compared first. Nor is what a slow network
            // costs.
            isFine = isFine && line.violations.isEmpty && (!plan.isFaultless || slowness > 0 || line.excesses.isEmpty)
        }
        if !isFine { throw ExitCode(1) }
    }
}
