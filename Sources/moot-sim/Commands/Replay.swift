import ArgumentParser
import Simulation

/// `moot-sim replay`: runs a plan from a file.
struct Replay: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Run the trace that 'shrink' or a failing test wrote.")

    @Argument(help: "The file of the trace.")
    var trace: String

    func run() throws {
        let (outcome, time) = Run.simulate(try Plan(file: trace))
        print(OutcomeLine(outcome, cpuMilliseconds: time).text)
        if !outcome.violations.isEmpty { throw ExitCode(1) }
    }
}
