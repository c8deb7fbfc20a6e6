import ArgumentParser
import Foundation
import Simulation

/// `moot-sim mutants`: plants one bug after the other and sees whether the simulation notices.
struct Mutants: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check that planted bugs are noticed; only in the build that scripts/mutants makes.")

    func run() throws {
        print("this build has no planted bugs: run scripts/mutants")
        throw ExitCode(64)
    }
}
