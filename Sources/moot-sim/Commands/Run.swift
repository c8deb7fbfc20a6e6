import ArgumentParser
import Foundation
import Simulation
import Synchronization

/// `moot-sim run`: simulates seeds, several at once, and prints a line for each.
struct Run: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Simulate one seed or many; one line of JSON a seed.",
        discussion: """
            Seeds are run in processes of their own, so a trap is told with its seed. Every 50th seed is run twice, and once more in \
            another process: the three traces must be equal.
            """)

    @Option(help: "The first seed; without it a fresh one.")
    var seed: UInt64?

    @Option(
        help:
            "How many seeds, one after the other; 1, or with --seconds or --processor-seconds as many as there is time for."
    )
    var count: Int?

    @Option(help: "Stop after so many seconds, however many seeds are left.")
    var seconds: Double?

    @Option(
        help:
            "Stop after so many seconds of a processor, all seeds together: as much is simulated on a machine that has other work."
    )
    var processorSeconds: Double?

    @Option(help: "How many seeds are run at once.")
    var jobs = ProcessInfo.processInfo.activeProcessorCount

    @OptionGroup var planOptions: PlanOptions

    @Flag(help: "Run no seed a second time.")
    var once = false

    @Flag(help: "Run in this process, which a trap ends, and shows its place.")
    var here = false

    /// Every so many seeds one is repeated.
    private static let repetition: UInt64 = 50

    func validate() throws {
        if let count, count < 1 { throw ValidationError("--count is 1 or more") }
        if let seconds, seconds <= 0 { throw ValidationError("--seconds is more than 0") }
        if let processorSeconds, processorSeconds <= 0 { throw ValidationError("--processor-seconds is more than 0") }
        guard (1...256).contains(jobs) else { throw ValidationError("--jobs is 1 to 256") }
    }

    func run() throws {
        let first = seed ?? UInt64.random(in: 1...UInt64(UInt32.max))
        let end = seconds.map { ContinuousClock.now + .seconds($0) }
        let isLimited = seconds != nil || processorSeconds != nil
        let count = count ?? (isLimited ? .max : 1)
        let budget = processorSeconds.map { Duration.seconds($0) }
        let progress = Progress()
        let began = ContinuousClock.now
        DispatchQueue.concurrentPerform(iterations: jobs) { _ in
            var workerSlot = WorkerSlot()
            while end.map({ ContinuousClock.now < $0 }) ?? true,
                let number = progress.next(below: count, within: budget)
            {
                let plan = planOptions.plan(of: first &+ UInt64(number))
                do {
                    let outcome = try here ? Self.line(of: plan) : workerSlot.run(plan)
                    var line = outcome.text
                    var isFine = outcome.violations.isEmpty
                    if !once, isFine, plan.seed % Self.repetition == 0,
                        let difference = try repeating(plan, outcome, in: &workerSlot)
                    {
                        line += "\n" + difference
                        isFine = false
                    }
                    progress.finished(line, isFine: isFine, after: .milliseconds(outcome.cpuMilliseconds))
                } catch {
                    progress.finished(
                        "{\"seed\":\(plan.seed),\"error\":\"no second process: \(error)\"}", isFine: false,
                        after: .zero)
                }
            }
        }
        let (done, bad) = progress.totals
        let minutes = (ContinuousClock.now - began) / .seconds(60)
        FileHandle.standardError.write(
            Data(
                "\(done) seeds from \(first), \(bad) with a broken invariant; \(Int(Double(done) / minutes)) seeds/min\n"
                    .utf8))
        // Nothing looked at is nothing found.
        if bad > 0 || done == 0 { throw ExitCode(1) }
    }

    /// Runs a plan and measures the processor's time.
    static func simulate(_ plan: Plan, slowness: Int = 0) -> (Outcome, milliseconds: Int) {
        let before = threadTime
        let outcome = World(plan, slowness: slowness).run()
        return (outcome, Int((threadTime - before) / .milliseconds(1)))
    }

    private static var threadTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// Runs a plan in this process.
    private static func line(of plan: Plan) -> OutcomeLine {
        let (outcome, time) = simulate(plan)
        return OutcomeLine(outcome, cpuMilliseconds: time)
    }

    /// Runs a plan again, in the same process and in another one; what differs, if anything does.
    private func repeating(
        _ plan: Plan, _ outcome: OutcomeLine, in workerSlot: inout WorkerSlot
    ) throws -> String? {
        let again = try workerSlot.run(plan).trace
        guard again == outcome.trace else {
            return "{\"seed\":\(plan.seed),\"error\":\"a second run had the trace \(again)\"}"
        }
        var other = WorkerSlot()
        let elsewhere = try other.run(plan).trace
        guard elsewhere == outcome.trace else {
            return "{\"seed\":\(plan.seed),\"error\":\"a second process had the trace \(elsewhere)\"}"
        }
        return nil
    }
}

/// Hands out the numbers of runs and collects their lines, for several threads.
private final class Progress: Sendable {
    private struct State {
        var next = 0
        var done = 0
        var bad = 0
        var spent: Duration = .zero
    }

    private let state = Mutex(State())

    /// What a run costs at least: one that says nothing of its cost ended early, and costs a process.
    private static let leastCost: Duration = .milliseconds(50)

    /// The next number, unless all were handed out or the processor's time is over.
    func next(below count: Int, within budget: Duration?) -> Int? {
        state.withLock { state in
            guard state.next < count, budget.map({ state.spent < $0 }) ?? true else { return nil }
            defer { state.next += 1 }
            return state.next
        }
    }

    /// Prints what became of a run.
    func finished(_ line: String, isFine: Bool, after cost: Duration) {
        state.withLock { state in
            state.done += 1
            state.spent += max(cost, Self.leastCost)
            if !isFine { state.bad += 1 }
            FileHandle.standardOutput.write(Data((line + "\n").utf8))
        }
    }

    /// Runs done, and those among them with a broken invariant.
    var totals: (done: Int, bad: Int) { state.withLock { ($0.done, $0.bad) } }
}
