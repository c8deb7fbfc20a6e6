/// Something that must hold for every Swift file of a target.
struct Rule {
    /// Where a file breaks a rule.
    struct Finding: Equatable {
        /// Counted from 1.
        let line: Int
        let reason: String
    }

    let findings: (_ file: SwiftSource, _ target: Target) -> [Finding]

    /// Something that should not stand in code: a line on which one of the words stands and that matches the pattern.
    struct Ban {
        let words: [String]
        let pattern: Regex<Substring>
        let reason: String

        init(_ words: String..., pattern: Regex<Substring>, reason: String) {
            self.words = words
            self.pattern = pattern
            self.reason = reason
        }
    }

    /// Every place in the file's code where something banned stands.
    static func search(_ file: SwiftSource, for bans: [Ban]) -> [Finding] {
        bans.flatMap { ban in
            file.code(naming: ban.words).filter { $0.code.contains(ban.pattern) }
                .map { Finding(line: $0.number, reason: ban.reason) }
        }
    }
}
