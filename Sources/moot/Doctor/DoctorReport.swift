import LocalAPIModel

/// What `moot doctor` says to people.
struct DoctorReport {
    let outcome: DoctorVisit.Outcome

    /// The lines of the report.
    func lines(_ output: Output) -> [String] {
        let report = outcome.report
        var lines = report.findings.flatMap { Self.lines(about: $0, output) }
        if outcome.isSilent { lines.append("The node of this home does not answer, so only the host was looked at.") }
        if !report.node, !outcome.isSilent {
            lines.append("No node runs in this home, so only the host was looked at. Start it with: moot up")
        }
        lines += report.with.map(Self.lines(about:)) ?? []
        lines += report.unseen.map { "Not seen: \(TerminalText.line($0))" }
        switch report.findings.count(where: { $0.severity == .problem }) {
        case 0: lines.append("No problem was found.")
        case 1: lines.append("1 problem was found.")
        case let problems: lines.append("\(problems) problems were found.")
        }
        return lines
    }

    private static func lines(about finding: DiagnosisDescription.Finding, _ output: Output) -> [String] {
        let kind = finding.severity == .problem ? "PROBLEM" : "note   "
        return [
            output.bold("\(kind)  \(TerminalText.line(finding.about))  (\(finding.code))"),
            "  measured  \(TerminalText.line(finding.measured))",
            "  means     \(TerminalText.line(finding.meaning))", "  mend it   \(TerminalText.line(finding.remedy))",
            "",
        ]
    }

    /// Who answered, so that a healthy pair is told what that rests on.
    private static func lines(about counterpart: PersonReachabilityDescription) -> [String] {
        counterpart.nodes.compactMap { node in
            guard let answer = node.answer else { return nil }
            let dial =
                switch answer.reached {
                case true?: "reached this node at \(answer.address)"
                case false?: "did not reach this node at \(answer.address)"
                case nil: "did not dial this node back"
                }
            return TerminalText.line("Asked: the node of \(counterpart.name) at \(node.address) \(dial).")
        }
    }
}
