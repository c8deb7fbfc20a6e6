import ArgumentParser
import Foundation
import Simulation

/// `moot-sim work`: runs the plans that come on standard input, one a line, and prints a line of JSON for each.
struct Work: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run plans from standard input.", shouldDisplay: false)

    func run() throws {
        while let line = readLine() {
            let plan = try JSONDecoder().decode(Plan.self, from: Data(line.utf8))
            let (outcome, time) = Run.simulate(plan)
            let answer = OutcomeLine(outcome, cpuMilliseconds: time).text + "\n"
            FileHandle.standardOutput.write(Data(answer.utf8))
        }
    }
}
