import ArgumentParser
import LocalAPIClient
import LocalAPIModel
import NodeCore

/// `moot status`
struct Status: NodeCommand {
    static let configuration = CommandConfiguration(abstract: "Show how the node is doing.")

    @OptionGroup var common: CommonOptions

    func run(asking node: LocalClient, printing output: Output) async throws {
        let status = try await node.status()
        try output.answer(status) {
            let free = status.freeBytes.map { ", \(Self.size($0)) free" } ?? ""
            let versions = "protocol \(status.protocolVersion), database \(status.schemaVersion)"
            var lines = [
                "\(output.bold(TerminalText.line(status.name)))  \(status.user)",
                "device     \(status.device)",
                "version    \(status.version) (\(versions)), running for \(Self.duration(status.uptimeSeconds))",
                "listening  \(status.listening.isEmpty ? "nowhere" : status.listening.joined(separator: ", "))",
                "discovery  \(status.discovery ? "on" : "off")",
                "peers      \(status.peers.count)",
                "unread     \(status.unread)",
                "storage    \(TerminalText.line(status.storage)), \(Self.size(status.databaseBytes)) on disk\(free)",
                "files      \(Self.size(status.filesBytes)) of at most \(Self.size(status.filesQuota))",
                "memory     \(Self.size(status.residentBytes))",
            ]
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
        if status.storage == NodeError.homeCopied.message, let hint = NodeError.homeCopied.hint { output.warn(hint) }
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

    private static func size(_ bytes: Int64) -> String {
        switch bytes {
        case ..<10_000: "\(bytes) B"
        case ..<10_000_000: "\(bytes / 1_000) kB"
        case ..<10_000_000_000: "\(bytes / 1_000_000) MB"
        default: "\(bytes / 1_000_000_000) GB"
        }
    }
}
