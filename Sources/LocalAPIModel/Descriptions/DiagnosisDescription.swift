/// What a doctor found on a host and at its node.
public struct DiagnosisDescription: Hashable, Sendable, Codable {
    /// Something that does not work, or is worth knowing.
    public struct Finding: Hashable, Sendable, Codable {
        /// How much it matters.
        public enum Severity: String, APIEnum {
            /// Something does not work.
            case problem
            /// Everything may work.
            case note
            case unknown
        }

        /// What was found. A code never changes its meaning.
        public var code: String
        /// How much it matters.
        public var severity: Severity
        /// What it is about: an interface, a port, a person, a folder.
        public var about: String
        /// What was measured.
        public var measured: String
        /// What that means.
        public var meaning: String
        /// The command that mends it, or what to do where no command does.
        public var remedy: String

        package init(
            code: String, severity: Severity, about: String, measured: String, meaning: String, remedy: String
        ) {
            self.code = code
            self.severity = severity
            self.about = about
            self.measured = measured
            self.meaning = meaning
            self.remedy = remedy
        }
    }

    /// Whether no problem was found.
    public var healthy: Bool
    /// Whether a node runs, and was asked.
    public var node: Bool
    /// What was found, problems before notes.
    public var findings: [Finding]
    /// What could not be looked at, in words.
    public var unseen: [String]
    /// What the nodes of another person say of reaching this one; absent where nobody was asked.
    public var with: PersonReachabilityDescription?

    package init(
        healthy: Bool, node: Bool, findings: [Finding], unseen: [String], with: PersonReachabilityDescription? = nil
    ) {
        self.healthy = healthy
        self.node = node
        self.findings = findings
        self.unseen = unseen
        self.with = with
    }
}
