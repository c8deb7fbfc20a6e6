import Foundation
import Simulation

/// A second process that runs plans, one after the other. Where a node traps, that process ends, and it is known with
/// which plan.
final class Worker {
    private let process = Process()
    private let plans = Pipe()
    private let answers = Pipe()
    private var unread: [UInt8] = []

    /// Starts the process.
    init() throws {
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["work"]
        var environment = ProcessInfo.processInfo.environment
        // A trap is an answer here; to look for its place would only take time.
        environment["SWIFT_BACKTRACE"] = "enable=no"
        process.environment = environment
        process.standardInput = plans
        process.standardOutput = answers
        process.standardError = answers
        try process.run()
    }

    /// Ends the process.
    deinit {
        try? plans.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// Runs a plan. After a trap the worker is of no more use.
    func run(_ plan: Plan) throws -> OutcomeLine {
        try plans.fileHandleForWriting.write(contentsOf: JSONEncoder().encode(plan) + Data("\n".utf8))
        var said: [String] = []
        while let line = nextLine() {
            if let outcome = try? JSONDecoder().decode(OutcomeLine.self, from: Data(line.utf8)) { return outcome }
            said.append(line)
        }
        process.waitUntilExit()
        let reason = said.first { $0.contains("Fatal error") } ?? said.last ?? "signal \(process.terminationStatus)"
        return OutcomeLine(trapped: plan, what: "the process ended: \(reason)")
    }

    /// What the process says next; nil once it has ended.
    private func nextLine() -> String? {
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                defer { unread.removeFirst(end + 1) }
                return String(decoding: unread[..<end], as: UTF8.self)
            }
            let more = answers.fileHandleForReading.availableData
            guard !more.isEmpty else {
                defer { unread = [] }
                return unread.isEmpty ? nil : String(decoding: unread, as: UTF8.self)
            }
            unread += more
        }
    }
}

/// A worker that is replaced when its process has ended.
struct WorkerSlot {
    private var worker: Worker?

    /// Runs a plan in a process of its own, which goes on with the next plan unless this one ends it.
    mutating func run(_ plan: Plan) throws -> OutcomeLine {
        let present = try worker ?? Worker()
        worker = present
        let outcome = try present.run(plan)
        if outcome.isTrapped { worker = nil }
        return outcome
    }
}
