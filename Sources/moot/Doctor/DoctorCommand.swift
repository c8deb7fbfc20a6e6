import ArgumentParser
import LocalAPIModel

/// `moot doctor`
struct Doctor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Find out why hosts do not see or reach each other.",
        discussion: """
            Looks at this host and asks its node, if one runs. Every finding says what was measured, what it means, and what \
            mends it. With --with it also asks the nodes of another person how they reach this one; they answer people who \
            share a conversation with them. Needs no root; what it cannot see it says. Exits with 0 if everything is \
            healthy, with 1 if it found a problem, and with 2 if it could not look.
            """)

    @Option(
        name: .customLong("with"),
        help: ArgumentHelp("Also ask the nodes of this person what they see of this one.", valueName: "person"),
        completion: .person)
    var person: String?

    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.reporting { output in
            let home = common.folders.home
            let visit = DoctorVisit(home: home, client: common.client, person: person)
            let outcome: DoctorVisit.Outcome?
            do {
                outcome = try await visit.look()
            } catch {
                output.report(Failure.detail(of: error))
                throw ExitCode(ExitStatus.couldNotLook.rawValue)
            }
            guard let outcome else {
                output.report(
                    .init(
                        code: ErrorCode.permissionDenied.rawValue,
                        message: "Nothing can be seen of the disk of \(home)"))
                throw ExitCode(ExitStatus.couldNotLook.rawValue)
            }
            try output.answer(outcome.report) { DoctorReport(outcome: outcome).lines(output) }
            if outcome.isSilent { throw ExitCode(ExitStatus.couldNotLook.rawValue) }
            if !outcome.report.healthy { throw ExitCode(ExitStatus.refused.rawValue) }
        }
    }
}
