import Diagnosis
import KeyStore
import LocalAPIClient
import LocalAPIModel

/// One look at this host and at its node, and at how another person's nodes reach it if that is wanted.
struct DoctorVisit {
    /// The folder of the node.
    let home: String
    /// Asks the node of that folder.
    let client: LocalClient
    /// Whose nodes are asked, as people are named; nil for nobody's.
    var person: String?

    /// What came of it.
    struct Outcome {
        /// What was found.
        let report: DiagnosisDescription
        /// Whether a node runs that does not answer.
        let isSilent: Bool
    }

    /// How long the node may take to ask others, which have five seconds.
    private static let timeout = Duration.seconds(8)

    /// Looks; nil where nothing can be seen of the disk. It takes some seconds.
    ///
    /// - Throws: ``LocalClientError`` where the person cannot be asked: `not_running`, `unknown_person`,
    ///   `ambiguous_name`.
    func look() async throws(LocalClientError) -> Outcome? {
        var unseen: [String] = []
        let knowledge = await NodeKnowledge.ask(client, home: home, unseen: &unseen)
        // Whoever holds the lock runs, and does not answer.
        let isSilent = knowledge == nil && LockHolder.hold(ofHome: home).isNodes
        let told = Task { [client, person] in isSilent ? nil : await Self.ask(person, client) }
        guard let host = await HostObserver(home: home, node: knowledge).observe(&unseen) else { return nil }
        let node = await knowledge?.observation(on: host, &unseen)
        let reachability = try await told.value?.get()
        let counterpart = reachability.flatMap { reachability in
            knowledge.map { $0.counterpart(reachability) }
        }
        let findings = Diagnosis(host: host, node: node, counterpart: counterpart).findings
        let report = DiagnosisDescription(
            healthy: findings.allSatisfy { $0.severity != .problem }, node: knowledge != nil,
            findings: findings.map(Self.describe), unseen: unseen, with: reachability)
        return Outcome(report: report, isSilent: isSilent)
    }

    private static func ask(
        _ person: String?, _ client: LocalClient
    ) async -> Result<PersonReachabilityDescription, LocalClientError>? {
        guard let person else { return nil }
        let answer = await Deadline.answer(within: timeout) { () async -> Result<_, LocalClientError> in
            do throws(LocalClientError) {
                return .success(try await client.askReachability(of: person))
            } catch {
                return .failure(error)
            }
        }
        return answer ?? .failure(.connectionLost)
    }

    private static func describe(_ finding: Finding) -> DiagnosisDescription.Finding {
        let severity: DiagnosisDescription.Finding.Severity =
            switch finding.severity {
            case .problem: .problem
            case .note: .note
            }
        return .init(
            code: finding.code.rawValue, severity: severity, about: finding.subject, measured: finding.measured,
            meaning: finding.meaning, remedy: finding.remedy)
    }
}
