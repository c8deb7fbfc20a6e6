import ArgumentParser
import Foundation
import Simulation
import Synchronization

/// `moot-sim mutants`: plants one bug after the other and sees whether the simulation notices.
struct Mutants: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check that planted bugs are noticed.",
        discussion: """
            scripts/mutants does it all: it plants the bugs of Tests/Mutants into a copy of the package, builds that, and runs it. \
            Exit status: 0 when enough of them were noticed and none survived that is not listed as a survivor, else 1.
            """)

    @Option(help: "Make a copy of the package, in the working directory, with the bugs in it.", completion: .directory)
    var plant: String?

    @Flag(name: .customLong("run"), help: "Look for the bugs; only in the build of such a copy.")
    var looks = false

    @Option(help: "Seconds of the processor's time for each bug.")
    var seconds = 60.0

    @Argument(help: "Names of bugs; without any, all of them.")
    var names: [String] = []

    /// How many bugs must be noticed, of all.
    private static let enough = 28
    /// Seconds for a bug that may survive: it is run all the same, lest it crash or spoil the build.
    private static let excusedSeconds = 4.0

    func validate() throws {
        guard (plant != nil) != looks else {
            throw ValidationError("say either --plant FOLDER or --run; see scripts/mutants")
        }
        guard seconds > 0 else { throw ValidationError("--seconds is more than 0") }
    }

    func run() throws {
        let package = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
        let all = try Mutant.all(in: package.appending(path: "Tests/Mutants"))
        if let plant {
            var planting = Planting(of: package, into: URL(fileURLWithPath: plant))
            return try planting.plant(all)
        }
        if let unknown = names.first(where: { name in !all.contains { $0.name == name } }) {
            throw ValidationError("there is no mutant \(unknown)")
        }
        let isWhole = try look(for: names.isEmpty ? all : all.filter { names.contains($0.name) }, isAll: names.isEmpty)
        if !isWhole { throw ExitCode(1) }
    }

    /// Looks for some bugs, two at a time; whether the outcome is as it should be.
    private func look(for mutants: [Mutant], isAll: Bool) throws -> Bool {
        let queue = TrialQueue(mutants)
        DispatchQueue.concurrentPerform(iterations: 2) { _ in
            while let mutant = queue.next() {
                let isExcused = mutant.excuse != nil
                var trial = Trial(of: mutant, seconds: isExcused ? min(seconds, Self.excusedSeconds) : seconds)
                do {
                    let verdict = try trial.run()
                    queue.finished(trial, verdict)
                } catch {
                    queue.finished(trial, .stopped("\(error)"))
                }
            }
        }
        let (caught, unexpected, unclean) = queue.totals
        for line in Set(unclean).sorted() { print("without any bug: \(line)") }
        print("\(caught) of \(mutants.count) caught in \(Int(Self.childrenTime)) CPU-seconds")
        return unexpected == 0 && unclean.isEmpty && (!isAll || caught >= Self.enough)
    }

    /// Seconds of the processor's time that all second processes took.
    private static var childrenTime: Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage)
        return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
            + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1_000_000
    }
}

/// Hands out mutants and tells what became of them, for several threads.
private final class TrialQueue: Sendable {
    private struct State {
        var waiting: ArraySlice<Mutant>
        var caught = 0
        var unexpected = 0
        var unclean: [String] = []
    }

    private let state: Mutex<State>

    init(_ mutants: [Mutant]) { state = Mutex(State(waiting: mutants[...])) }

    /// The next mutant, unless all were handed out.
    func next() -> Mutant? { state.withLock { $0.waiting.popFirst() } }

    /// Prints what became of a mutant.
    func finished(_ trial: Trial, _ verdict: Trial.Verdict) {
        let mutant = trial.mutant
        let outcome =
            switch verdict {
            case .caught(let invariant, let what): "caught by \(invariant): \(what)"
            case .crashed(let what): "crashed: \(what)"
            case .survived: "survived" + (mutant.excuse.map { ", as it may: \($0)" } ?? ": \(mutant.title)")
            case .stopped(let what): "was not tried: \(what)"
            }
        let figures = String(format: "%3d seeds %5.1f s", Int(trial.seeds), trial.cost)
        let line =
            mutant.name.padding(toLength: 34, withPad: " ", startingAt: 0) + figures + "  " + outcome.prefix(160) + "\n"
        state.withLock { state in
            if verdict.isCatch { state.caught += 1 }
            state.unclean += trial.unclean
            if !verdict.isCatch, verdict != .survived || mutant.excuse == nil { state.unexpected += 1 }
            FileHandle.standardOutput.write(Data(line.utf8))
        }
    }

    /// How many were noticed, how many were not and should have been, and what went wrong without any.
    var totals: (caught: Int, unexpected: Int, unclean: [String]) {
        state.withLock { ($0.caught, $0.unexpected, $0.unclean) }
    }
}
