import Diagnosis

/// What `moot doctor` says.
struct DoctorReport: Encodable {
    /// A finding as JSON.
    struct Entry: Encodable {
        let code: Finding.Code
        let severity: Finding.Severity
        let about: String
        let measured: String
        let meaning: String
        let remedy: String
    }

    /// Whether no problem was found.
    let healthy: Bool
    /// Whether a node runs, and was asked.
    let node: Bool
    /// Problems before notes.
    let findings: [Entry]
    /// What could not be looked at.
    let unseen: [String]

    init(findings: [Finding], isNodeRunning: Bool, unseen: [String]) {
        healthy = findings.allSatisfy { $0.severity != .problem }
        node = isNodeRunning
        self.findings = findings.map {
            Entry(
                code: $0.code, severity: $0.severity, about: $0.subject, measured: $0.measured, meaning: $0.meaning,
                remedy: $0.remedy)
        }
        self.unseen = unseen
    }

    /// The same for people.
    ///
    /// - Parameter isSilent: whether a node runs that does not answer.
    func lines(_ output: Output, isSilent: Bool) -> [String] {
        var lines: [String] = []
        for finding in findings {
            let heading = "\(TerminalText.line(finding.about))  (\(finding.code.rawValue))"
            let kind = finding.severity == .problem ? "PROBLEM" : "note   "
            lines += [
                output.bold("\(kind)  \(heading)"), "  measured  \(TerminalText.line(finding.measured))",
                "  means     \(TerminalText.line(finding.meaning))", "  mend it   \(TerminalText.line(finding.remedy))",
                "",
            ]
        }
        if isSilent { lines.append("The node of this home does not answer, so only the host was looked at.") }
        if !node, !isSilent {
            lines.append("No node runs in this home, so only the host was looked at. Start it with: moot up")
        }
        lines += unseen.map { "Not seen: \(TerminalText.line($0))" }
        let problems = findings.count { $0.severity == .problem }
        switch problems {
        case 0: lines.append("No problem was found.")
        case 1: lines.append("1 problem was found.")
        default: lines.append("\(problems) problems were found.")
        }
        return lines
    }
}
