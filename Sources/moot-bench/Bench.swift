import ArgumentParser
import CProcess
import Foundation

/// Measures Moot against the limits of the same machine in the same run.
@main
struct Bench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "moot-bench", abstract: "Measures Moot against the limits of the same machine.",
        discussion: "Machines are noisy: compare ratios of one run, not seconds of two.")

    @Option(help: "Messages to catch up.")
    var messages = 100_000

    @Option(help: "Messages of the live test.")
    var live = 400

    @Option(help: "Messages of the crowd of ten nodes.")
    var crowd = 4_000

    @Option(help: "The moot program to measure starting; left out, starting is not measured.")
    var moot: String?

    @Option(help: "Measure only one part, against the machine.")
    var only: Part?

    @Flag(help: "Print one JSON object.")
    var json = false

    func validate() throws {
        guard (1_000...2_000_000).contains(messages), (10...100_000).contains(live), (1_000...100_000).contains(crowd)
        else {
            throw ValidationError(
                "--messages takes 1,000 to 2,000,000, --live 10 to 100,000, --crowd 1,000 to 100,000.")
        }
    }

    func run() async throws {
        // As the program does.
        _ = moot_limit_memory_pools(2)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("moot-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        note("measuring the machine")
        var report = Report(machine: try MachineLimits.measure(in: folder))
        for part in Part.allCases where only == nil || only == part {
            try await measure(part, in: folder, for: &report)
        }
        print(json ? try report.encoded() : report.table)
    }

    private func measure(_ part: Part, in folder: URL, for report: inout Report) async throws {
        let caughtUp = folder.appendingPathComponent("catch-up")
        switch part {
        case .cores:
            note("changing sets")
            report.sets = SetThroughput.measure()
            note("judging membership")
            report.judging = Judging.measure()
            note("judging membership written to be slow")
            report.hostileJudging = HostileJudging.measure()
        case .list:
            note("listing \(ConversationList.count) conversations")
            report.list = try await ConversationList.measure(in: folder.appendingPathComponent("list"))
        case .removal:
            note("removing one of \(RemovalCost.people)")
            report.removal = try RemovalCost.measure()
        case .photo:
            note("making a photo of 24 million pixels")
            report.photo = try await PhotoCost.measure()
        case .catchUp:
            note("catching up \(messages) messages that are not encrypted")
            report.openCatchUp = try await CatchUp.measure(
                messages: messages, isClosed: false, in: folder.appendingPathComponent("open"))
            note("catching up \(messages) messages")
            report.catchUp = try await CatchUp.measure(messages: messages, isClosed: true, in: caughtUp)
            note("reading and searching them")
            report.reading = try await Reading.measure(messages: messages, name: "reader", in: caughtUp)
            if let moot {
                note("starting \(moot)")
                report.start = try StartUp.measure(
                    program: moot, empty: folder.appendingPathComponent("start"),
                    full: caughtUp.appendingPathComponent("reader"))
            }
        case .statistics:
            note("counting \(messages) messages of \(CountingTime.days) days")
            report.counting = try await CountingTime.measure(
                messages: messages, in: folder.appendingPathComponent("statistics"))
        case .live:
            note("sending \(live) live messages")
            report.live = try await LiveLatency.measure(messages: live, in: folder.appendingPathComponent("live"))
        case .files:
            note("sending a file of \(FileTransfer.megabytes) MiB")
            report.file = try await FileTransfer.measure(in: folder.appendingPathComponent("files"))
        case .crowd:
            note("letting \(MootCrowd.nodes) nodes write \(crowd) messages")
            let folder = folder.appendingPathComponent("crowd")
            report.crowd = try await MootCrowd.measure(messages: crowd, in: folder)
            note("the same on an IRC server")
            report.crowd?.onIRC = try IRCCrowd.measure(messages: 5 * crowd, in: folder)
        }
    }

    private func note(_ text: String) {
        FileHandle.standardError.write(Data("\(text) …\n".utf8))
    }

    /// What can be measured by itself.
    enum Part: String, CaseIterable, ExpressibleByArgument {
        /// The replicated types, and how membership is judged.
        case cores
        /// The list of conversations.
        case list
        /// Removing somebody from a large group.
        case removal
        /// Making a photo of a camera's picture.
        case photo
        /// Catching up a history, then reading, searching and starting with it.
        case catchUp = "catch-up"
        /// The statistics of a history.
        case statistics
        /// How soon a message is shown elsewhere.
        case live
        /// How fast a file gets to another node, and what that does to live messages.
        case files
        /// How much ten nodes write and store, against an IRC server.
        case crowd
    }
}
