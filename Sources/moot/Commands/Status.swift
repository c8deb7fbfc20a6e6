import ArgumentParser
import LocalAPIClient
import LocalAPIModel
import NodeCore

/// `moot status`
struct Status: NodeCommand {
    static let configuration = CommandConfiguration(abstract: "Show how the node is doing.")

    @Flag(help: "Print only the path of the socket, for programs that use the API.")
    var socket = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if socket, common.json {
            throw ValidationError("--socket and --json exclude each other: the JSON has the socket.")
        }
    }

    func run(asking node: LocalClient, printing output: Output) async throws {
        let status = try await node.status()
        guard !socket else { return try output.answer(status) { [status.socket] } }
        try output.answer(status) {
            let free = status.freeBytes.map { ", \(Self.size($0)) free" } ?? ""
            let versions = "protocol \(status.protocolVersion), database \(status.schemaVersion)"
            var lines = [
                "\(output.bold(TerminalText.line(status.name)))  \(status.user)",
                "device     \(status.device)",
                "version    \(status.version) (\(versions)), running for \(Self.duration(status.uptimeSeconds))",
                "home       \(TerminalText.line(status.home))",
                "socket     \(TerminalText.line(status.socket))",
                "log        \(status.log.map(TerminalText.line) ?? "standard error, or the journal of a service")",
                "process    \(status.pid)",
                "page       \(status.web.map { "\($0) (moot open lets a browser in)" } ?? "none (moot up --web PORT serves one)")",
                "listening  \(status.listening.isEmpty ? "nowhere" : status.listening.joined(separator: ", "))",
                "discovery  \(status.discovery ? "on" : "off")",
                "peers      \(status.peers.count)",
                "unread     \(status.unread)",
                "storage    \(Self.words(for: status.storage)) \(Self.size(status.databaseBytes)) on disk\(free)",
                "files      \(Self.size(status.filesBytes)) of at most \(Self.size(status.filesQuota))",
                "memory     \(Self.size(status.residentBytes))",
            ]
            lines += Self.lines(about: status.forks)
            var table = Table("CONVERSATION", "SYNC", "IN SYNC WITH", "OPERATIONS", "PENDING", "WANTED")
            for sync in status.conversations {
                table.add(
                    sync.title, sync.state.rawValue, "\(sync.peersInSync.count)", "\(sync.operations)",
                    "\(sync.pending)",
                    "\(sync.wanted)")
            }
            let rows = table.lines(output)
            if !rows.isEmpty { lines += [""] + rows }
            return lines
        }
        for line in ReachHint.lines(about: status) { output.say(line) }
        for reason in [NodeError.homeCopied, .notCertified, .identityDeleted, .deviceTakenOut]
        where status.storage == reason.message {
            if let hint = reason.hint { output.warn(hint) }
        }
        for sync in status.conversations where sync.heldBack {
            output.warn(
                "Others have more of \(TerminalText.line(sync.title)) than is taken here. If you have not accepted it: "
                    + "moot accept, or moot mark-read where it is a direct conversation. Else moot verify says why.")
        }
        for line in Self.lines(about: status.clocks) { output.warn(line) }
        for line in NamesakeWarning.lines(about: status.namesakes) { output.warn(line) }
    }

    private static func lines(about clocks: [ClockDescription]) -> [String] {
        guard !clocks.isEmpty else { return [] }
        let found = clocks.map { clock in
            let difference = duration(Double(clock.secondsAhead.magnitude))
            return "The clock of \(TerminalText.line(clock.name)) (device \(clock.device.prefix(12))) is \(difference) "
                + (clock.secondsAhead < 0 ? "behind this host's." : "ahead of this host's.")
        }
        return clocks.count > 1 ? found + ["If most of them differ alike, this host's own clock is wrong."] : found
    }

    private static func duration(_ seconds: Double) -> String {
        let seconds = Int(exactly: seconds.rounded(.down)) ?? 0
        switch seconds {
        case ..<60: return "\(seconds) s"
        case ..<3_600: return "\(seconds / 60) min"
        case ..<86_400: return "\(seconds / 3_600) h \(seconds % 3_600 / 60) min"
        default: return "\(seconds / 86_400) d \(seconds % 86_400 / 3_600) h"
        }
    }

    /// How the storage is, as the beginning of a line that goes on.
    private static func words(for storage: String) -> String {
        guard storage != "writable" else { return "writable," }
        let reason = TerminalText.line(storage)
        return "\(reason.hasSuffix(".") ? reason : reason + ".") Nothing new is stored;"
    }

    private static func lines(about forks: [ForkDescription]) -> [String] {
        forks.map { fork in
            let device = fork.deviceName.isEmpty ? String(fork.device.prefix(12)) : TerminalText.line(fork.deviceName)
            return
                "forked     \(TerminalText.line(fork.name)), on \(device): two copies of one home wrote; all that both wrote is here"
        }
    }

    private static func size(_ bytes: Int64) -> String { TerminalText.size(Int(clamping: bytes)) }
}
