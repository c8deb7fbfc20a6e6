import ArgumentParser
import Diagnosis
import KeyStore
import LocalAPIClient
import LocalAPIModel

/// `moot doctor`
struct Doctor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Find out why hosts do not see or reach each other.",
        discussion: """
            Looks at this host and asks its node, if one runs. Every finding says what was measured, what it means, and what \
            mends it. Needs no root; what it cannot see it says. Exits with 0 if everything is healthy, with 1 if it \
            found a problem, and with 2 if it could not look.
            """)

    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.reporting { output in
            let folders = common.folders
            var unseen: [String] = []
            let knowledge = await NodeKnowledge.ask(common.client, home: folders.home, unseen: &unseen)
            guard let host = await HostObserver(home: folders.home, node: knowledge).observe(&unseen) else {
                output.report(
                    .init(
                        code: ErrorCode.permissionDenied.rawValue,
                        message: "Nothing can be seen of the disk of \(folders.home)"))
                throw ExitCode(ExitStatus.couldNotLook.rawValue)
            }
            let node = await knowledge?.observation(on: host, &unseen)
            let report = DoctorReport(
                findings: Diagnosis(host: host, node: node).findings, isNodeRunning: knowledge != nil,
                unseen: unseen)
            // Whoever holds the lock runs, and does not answer.
            let isSilent = knowledge == nil && LockHolder.hold(ofHome: folders.home).isNodes
            try output.answer(report) { report.lines(output, isSilent: isSilent) }
            if isSilent { throw ExitCode(ExitStatus.couldNotLook.rawValue) }
            if !report.healthy { throw ExitCode(ExitStatus.refused.rawValue) }
        }
    }
}
