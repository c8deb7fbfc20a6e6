import ArgumentParser
import Cryptography
import Simulation

/// The simulator's command line.
@main
struct MootSim: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "moot-sim",
        abstract: "Runs many nodes in one process, on virtual time, and looks for broken invariants.",
        discussion: """
            Everything in a run follows from its seed: with the same seed the same happens again, on any machine. Exit status: 0 when \
            every invariant held, 1 when one was broken, 64 for a wrong command.
            """,
        subcommands: [Run.self, Crowd.self, Replay.self, Shrink.self, Mutants.self, Work.self])

    static func main() {
        do {
            try Sodium.start()
            VerificationCache.begin()
        } catch {
            exit(withError: ValidationError("libsodium cannot be used here: \(error)"))
        }
        main(nil)
    }
}
