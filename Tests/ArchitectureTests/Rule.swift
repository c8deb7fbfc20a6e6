/// Something that must hold for every Swift file of a target.
struct Rule {
    /// Where a file breaks a rule.
    struct Finding: Equatable {
        /// Counted from 1.
        let line: Int
        let reason: String
    }

    let findings: (_ file: SwiftSource, _ target: Target) -> [Finding]

    /// Every place in the file's code that matches one of the patterns, each reported with its own reason.
    static func search(_ file: SwiftSource, for patterns: [(pattern: Regex<Substring>, reason: String)]) -> [Finding] {
        file.codeLines.enumerated().flatMap { index, code in
            patterns.filter { code.contains($0.pattern) }.map { Finding(line: index + 1, reason: $0.reason) }
        }
    }
}
