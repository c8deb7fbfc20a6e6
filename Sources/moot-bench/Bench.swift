import ArgumentParser
import Foundation

/// Measures Moot beside the limits of the same machine in the same run.
@main
struct Bench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "moot-bench", abstract: "Measures Moot beside the limits of the same machine.",
        discussion: "Machines are noisy: compare ratios of one run, not seconds of two.")

    @Option(help: "Messages to catch up.")
    var messages = 100_000

    @Option(help: "Messages of the live test.")
    var live = 400

    @Option(help: "The moot program to measure starting; left out, starting is not measured.")
    var moot: String?

    @Flag(help: "Measure only the replicated types and how membership is judged.")
    var membership = false

    @Flag(help: "Measure only the list of conversations.")
    var list = false

    @Flag(help: "Print one JSON object.")
    var json = false

    func validate() throws {
        guard (1_000...2_000_000).contains(messages), (10...100_000).contains(live) else {
            throw ValidationError("--messages takes 1,000 to 2,000,000, --live 10 to 100,000.")
        }
    }

    func run() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("moot-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        note("measuring the machine")
        let machine = try MachineLimits.measure(in: folder)
        note("changing sets")
        let sets = SetThroughput.measure()
        note("judging membership")
        let judging = Judging.measure()
        if membership {
            let report = Report(machine: machine, sets: sets, judging: judging)
            return print(json ? try report.encoded() : report.table)
        }
        note("listing \(ConversationList.count) conversations")
        let listing = try await ConversationList.measure(in: folder.appendingPathComponent("list"))
        if list {
            let report = Report(machine: machine, sets: sets, judging: judging, list: listing)
            return print(json ? try report.encoded() : report.table)
        }
        note("removing one of \(RemovalCost.people)")
        let removal = try RemovalCost.measure()
        note("catching up \(messages) messages that are not encrypted")
        let open = try await CatchUp.measure(
            messages: messages, isClosed: false, in: folder.appendingPathComponent("open"))
        note("catching up \(messages) messages")
        let catchUp = try await CatchUp.measure(
            messages: messages, isClosed: true, in: folder.appendingPathComponent("catch-up"))
        note("reading and searching them")
        let reading = try await Reading.measure(
            messages: messages, name: "reader", in: folder.appendingPathComponent("catch-up"))
        note("sending \(live) live messages")
        let liveResult = try await LiveLatency.measure(messages: live, in: folder.appendingPathComponent("live"))
        let start = try moot.map { path in
            note("starting \(path)")
            return try StartUp.measure(
                program: path, empty: folder.appendingPathComponent("start"),
                full: folder.appendingPathComponent("catch-up/reader"))
        }
        let report = Report(
            machine: machine, sets: sets, judging: judging, list: listing, removal: removal, openCatchUp: open,
            catchUp: catchUp, reading: reading, live: liveResult, start: start)
        print(json ? try report.encoded() : report.table)
    }

    private func note(_ text: String) {
        FileHandle.standardError.write(Data("\(text) …\n".utf8))
    }
}
