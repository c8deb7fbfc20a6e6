import ArgumentParser
import Glibc
import KeyStore
import LocalAPIClient
import LocalAPIModel
import Node

/// `moot home check`
struct CheckHome: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Verify every chain, text, file and index of the home, and say what others can give back.",
        discussion: """
            The node may run: then it makes a copy of its database, which is looked at and removed. Nothing of the home is \
            changed, and no passphrase is needed. Exit status 0 means that all is well, 1 that something is damaged, and any other that \
            it could not be looked at.
            """)

    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.reporting { output in
            let report = try await look(telling: output)
            output.eraseProgress()
            try output.answer(report) { Self.lines(about: report) }
            if !report.findings.isEmpty { throw ExitCode(ExitStatus.refused.rawValue) }
        }
    }

    private func look(telling output: Output) async throws -> HomeReport {
        let home = common.folders.home
        let copy = try await DatabaseCopy.make(in: home, asking: common.client)
        var bars = CheckProgress(on: output)
        return try withExtendedLifetime(copy) { try HomeCheck.run(on: home, copy: copy?.path) { bars.show($0) } }
    }

    static func lines(about report: HomeReport) -> [String] {
        let amount = [
            TerminalText.count(report.conversations, "conversation"),
            TerminalText.count(report.operations, "operation"),
            TerminalText.count(report.files, "file"),
        ].joined(separator: ", ")
        let looked = "Looked at \(amount)\(report.running ? ", in a copy of the database of the running node" : "")."
        guard !report.findings.isEmpty else { return [looked, "All is well."] }
        return [looked]
            + report.findings.flatMap { finding in
                ["\(TerminalText.line(finding.sentence))", "  \(help(for: finding))"]
            }
    }

    /// What the user can do about it.
    private static func help(for finding: HomeReport.Finding) -> String {
        switch finding.repair {
        case .peers: "Other members who have it give it back: it is fetched again when it is next opened or passed on."
        case .backupThenPeers:
            "Restore your last backup with: moot restore FILE. What it lacks, other members of the conversation give back."
        case .rebuild:
            finding.part == "search_index"
                ? "It is made anew: start once with moot up --search-index off, then as ever."
                : "Only what moot stats says is wrong. No message is."
        }
    }
}

/// How far a check is.
private struct CheckProgress {
    private let output: Output
    private var bar: ProgressBar?
    private var isAtFiles = false

    init(on output: Output) { self.output = output }

    mutating func show(_ progress: HomeCheck.Progress) {
        switch progress {
        case .operations(let done, let all): show("operations", done, of: all)
        case .bytes(let done, let all):
            if !isAtFiles { (bar, isAtFiles) = (nil, true) }
            show("files", done, of: all)
        }
    }

    private mutating func show(_ name: String, _ done: Int, of all: Int) {
        var bar = bar ?? ProgressBar(name, total: all, on: output, isErasedAtEnd: true)
        bar.show(done)
        self.bar = bar
    }
}
