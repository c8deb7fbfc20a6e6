import ArgumentParser
import Foundation
import Simulation

/// `moot-sim shrink`: looks for the smallest plan that still breaks an invariant.
struct Shrink: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Find the smallest trace that breaks the same invariant as a seed.")

    @Option(help: "The seed that breaks an invariant.")
    var seed: UInt64 = 0

    @Option(help: "A trace that breaks an invariant, instead of a seed.")
    var trace: String?

    @Option(help: "Where to write the trace.")
    var output = "trace.json"

    @Option(help: "How long to look, in seconds.")
    var seconds: Double = 120

    @OptionGroup var planOptions: PlanOptions

    func run() throws {
        let whole = try trace.map { try Plan(file: $0) } ?? planOptions.plan(of: seed)
        var workerSlot = WorkerSlot()
        guard let invariant = try workerSlot.run(whole).violations.first?.checker else {
            print("seed \(seed) breaks no invariant: nothing to shrink")
            throw ExitCode(64)
        }
        let end = ContinuousClock.now + .seconds(seconds)
        let small = try whole.shrunk(
            while: { ContinuousClock.now < end },
            failing: { plan in try workerSlot.run(plan).violations.contains { $0.checker == invariant } })
        try small.write(to: output)
        print(try workerSlot.run(small).text)
        FileHandle.standardError.write(
            Data(
                "\(whole.steps.count) steps on \(whole.nodes) nodes became \(small.steps.count) on \(small.nodes): \(output)\n"
                    .utf8))
    }
}
