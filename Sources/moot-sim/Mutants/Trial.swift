import Foundation
import Simulation

/// Looks for one planted bug: seed after seed, each in a process of its own that has the bug switched on.
struct Trial {
    /// What became of the search.
    enum Verdict: Hashable, Sendable {
        /// An invariant was broken, and holds without the bug.
        case caught(invariant: Int, what: String)
        /// The process crashed.
        case crashed(String)
        /// The time was over, and nobody had noticed.
        case survived
        /// The search could not be made.
        case stopped(String)

        /// Whether the bug was noticed.
        var isCatch: Bool {
            switch self {
            case .caught, .crashed: true
            case .survived, .stopped: false
            }
        }
    }

    let mutant: Mutant
    /// Seconds of the processor's time that it may take.
    let seconds: Double

    /// Seeds that were run.
    private(set) var seeds: UInt64 = 0
    /// Seconds of the processor's time that they took.
    private(set) var cost = 0.0

    /// Seeds that went wrong without the bug, too, and so prove nothing.
    private(set) var unclean: [String] = []

    init(of mutant: Mutant, seconds: Double) {
        self.mutant = mutant
        self.seconds = seconds
    }

    /// Runs seeds until the bug is noticed or the time is over.
    mutating func run() throws -> Verdict {
        while cost < seconds {
            seeds += 1
            let ending = try simulate(seeds, planting: mutant.name)
            switch ending {
            case .kept: continue
            case .ranOutOfTime: return .survived
            case .broken, .crashed: break
            }
            switch (try simulate(seeds, planting: nil), ending) {
            case (.broken(_, let what), _), (.crashed(let what), _):
                unclean.append("\(planArguments(of: seeds)): \(what)")
            case (_, .broken(let invariant, let what)): return .caught(invariant: invariant, what: what)
            case (_, .crashed(let what)): return .crashed(what)
            case (_, .kept), (_, .ranOutOfTime): continue
            }
        }
        return .survived
    }

    /// The options with which a seed is run.
    private func planArguments(of seed: UInt64) -> String {
        let profile = mutant.profiles[Int(seed) % mutant.profiles.count].rawValue
        return "--seed \(seed) --nodes \(mutant.nodes) --operations \(mutant.operations) --profile \(profile)"
            + (mutant.devices.map { " --devices \($0)" } ?? "") + (mutant.siege.map { " --siege \($0.rawValue)" } ?? "")
    }

    private enum Ending {
        case kept
        case broken(invariant: Int, what: String)
        case crashed(String)
        case ranOutOfTime
    }

    /// Runs a seed in a second process.
    private mutating func simulate(_ seed: UInt64, planting name: String?) throws -> Ending {
        // A seed that ends early with the bug may take longer without it.
        let limit = max(name == nil ? 20 : 1, Int((seconds - cost).rounded(.up)))
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments =
            [
                // The hard limit, too: the signal of the soft one does not reach a process that is started in this way.
                "-c", "ulimit -t \(limit) && exec \"$0\" \"$@\"",
                URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path,
            ] + ["run", "--here", "--once", "--jobs", "1"]
            + planArguments(of: seed).split(separator: " ").map(String.init)
        var environment = ProcessInfo.processInfo.environment
        environment["MOOT_PLANTED"] = name
        // A crash is an answer here; to look for its place would only take time.
        environment["SWIFT_BACKTRACE"] = "enable=no"
        process.environment = environment
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return ending(of: process, saying: String(decoding: bytes, as: UTF8.self), within: limit)
    }

    private mutating func ending(of process: Process, saying output: String, within limit: Int) -> Ending {
        let lines = output.split(separator: "\n")
        guard
            let line = lines.lazy.compactMap({ try? JSONDecoder().decode(OutcomeLine.self, from: Data($0.utf8)) }).first
        else {
            let isOver =
                process.terminationReason == .uncaughtSignal && [SIGKILL, SIGXCPU].contains(process.terminationStatus)
            guard !isOver else {
                cost += Double(limit)
                return .ranOutOfTime
            }
            let reason =
                lines.first { $0.contains("Fatal error") } ?? lines.first ?? "signal \(process.terminationStatus)"
            return .crashed(String(reason))
        }
        cost += Double(line.cpuMilliseconds) / 1_000
        return line.violations.first.map { .broken(invariant: $0.checker, what: $0.what) } ?? .kept
    }
}
