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

    @Option(help: "Sizes of the crowd, each of 3 to 128 nodes.", transform: Self.sizes)
    var nodes = [3, 10, 30, 60]

    @Flag(help: "Run the crowd on loopback even where it could have network namespaces.")
    var loopback = false

    @Option(help: "The moot program to run (default: next to this one).")
    var moot = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appendingPathComponent("moot").path

    @Option(help: "Measure only one part, against the machine.")
    var only: Part?

    @Flag(help: "Print one JSON object.")
    var json = false

    func validate() throws {
        guard (1_000...2_000_000).contains(messages), (10...100_000).contains(live) else {
            throw ValidationError("--messages takes 1,000 to 2,000,000, --live 10 to 100,000.")
        }
        guard !nodes.isEmpty, nodes.allSatisfy((3...128).contains) else {
            throw ValidationError("--nodes takes numbers from 3 to 128, such as 3,10,30.")
        }
        guard FileManager.default.isExecutableFile(atPath: moot) || only.map({ !$0.needsMoot }) ?? false else {
            throw ValidationError("\(moot) is no program: build moot, or name it with --moot.")
        }
    }

    func run() async throws {
        // As the program does.
        _ = moot_limit_memory_pools(2)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("moot-bench-\(UUID().uuidString)")
        let cleanup = Cleanup()
        cleanup.runsOnSignals()
        cleanup.add { try? FileManager.default.removeItem(at: folder) }
        defer { cleanup.run() }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        note("measuring the machine")
        var report = Report(machine: try MachineLimits.measure(in: folder))
        var shown: Set<String> = []
        var failed: [String] = []
        for part in Part.allCases where only == nil || only == part {
            do {
                try await measure(part, in: folder, for: &report, cleanup: cleanup)
            } catch {
                note("\(part.rawValue) failed: \(error)")
                failed.append(part.rawValue)
            }
            // What is known is shown, whatever becomes of the next part.
            if !json { show(report.lines.filter { shown.insert($0).inserted }) }
        }
        if json { show([try report.encoded()]) }
        guard failed.isEmpty else {
            throw BenchError("not measured, or only in part: \(failed.joined(separator: ", "))")
        }
    }

    private func measure(_ part: Part, in folder: URL, for report: inout Report, cleanup: Cleanup) async throws {
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
            note("taking back \(LateRemoval.messages) messages by a removal")
            report.lateRemoval = try await LateRemoval.measure(in: folder.appendingPathComponent("removal"))
        case .photo:
            note("making a photo of 24 million pixels")
            report.photo = try await PhotoCost.measure()
        case .catchUp:
            note("catching up \(messages) messages that are not encrypted")
            let open = try await CatchUp.measure(
                messages: messages, isClosed: false, in: folder.appendingPathComponent("open"))
            note("catching up \(messages) messages")
            report.catchUp = CatchUps(
                open: open, closed: try await CatchUp.measure(messages: messages, isClosed: true, in: caughtUp))
            note("reading and searching them")
            report.reading = try await Reading.measure(messages: messages, name: "reader", in: caughtUp)
            note("starting \(moot)")
            report.start = try StartUp.measure(
                program: moot, empty: folder.appendingPathComponent("start"),
                full: caughtUp.appendingPathComponent("reader"))
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
        case .devices:
            report.devices = try await measureDevices(in: folder)
        case .page:
            note("showing a page with \(messages) messages in a browser")
            report.screens.append(
                try ScreenSpeed.measure(.page, messages: messages, program: moot, cleanup: cleanup))
        case .chat:
            note("chatting on a terminal, with \(messages) messages")
            report.screens.append(
                try ScreenSpeed.measure(.chat, messages: messages, program: moot, cleanup: cleanup))
        case .crowd:
            report.crowd = await Crowd.measure(
                nodes, program: moot, usesLoopback: loopback, in: folder.appendingPathComponent("crowd"),
                cleanup: cleanup, note: note)
        }
    }

    private func measureDevices(in folder: URL) async throws -> DeviceFigures {
        note("linking a host to one with \(messages) messages in \(DeviceLinking.conversations) conversations")
        let linking = try await DeviceLinking.measure(
            messages: messages, in: folder.appendingPathComponent("linking"))
        note("talking with \(DeviceCost.hosts) people, and with one who has as many devices")
        return DeviceFigures(
            linking: linking, cost: try await DeviceCost.measure(in: folder.appendingPathComponent("devices")))
    }

    /// Reads the sizes of crowds: numbers with commas between them.
    private static func sizes(_ text: String) throws -> [Int] {
        try text.split(separator: ",").map { number in
            guard let size = Int(number) else { throw ValidationError("\(number) is no number of nodes.") }
            return size
        }
    }

    private func show(_ lines: [String]) {
        FileHandle.standardOutput.write(Data(lines.map { $0 + "\n" }.joined().utf8))
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
        /// Removing somebody from a large group, and taking back what they wrote.
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
        /// How soon a further device of a user has everything, and what several of them cost.
        case devices
        /// How fast the page is in a browser.
        case page
        /// How fast the chat is on a terminal.
        case chat
        /// What many nodes cost and how fast they are, against fewer of them and an IRC server.
        case crowd

        /// Whether the program itself is run.
        var needsMoot: Bool { [.catchUp, .page, .chat, .crowd].contains(self) }
    }
}
