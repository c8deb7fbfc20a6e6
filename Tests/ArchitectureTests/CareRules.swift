extension Rule {
    /// No error is turned into a crash.
    static var turnsNoErrorIntoACrash: Rule {
        Rule { file, _ in
            search(file, for: [Ban("try", pattern: /\btry!/, reason: "`try!` turns an error into a crash")])
        }
    }

    /// Where the compiler is told to trust us, a comment directly above says why it may; and only the targets that wrap
    /// C or the run loop may ask for it.
    static var justifiesUncheckedSendability: Rule {
        Rule { file, target in
            let places = file.code(naming: ["unchecked", "unsafe"])
                .filter { $0.code.contains(/@unchecked\s+Sendable\b|\bnonisolated\(unsafe\)/) }
            return places.compactMap { number, _ in
                guard ["StreamTransport", "Cryptography"].contains(target.name) else {
                    return Finding(line: number, reason: "\(target.name) has no need for unchecked sendability")
                }
                guard !file.hasCommentAbove(line: number) else { return nil }
                return Finding(line: number, reason: "say in a comment above why this is safe")
            }
        }
    }

    /// A longer file hides a second idea.
    static let maximumFileLines = 600

    static var staysShort: Rule {
        Rule { file, _ in
            // A file ends with a newline, so the last of its lines is empty.
            let count = file.lines.last == "" ? file.lines.count - 1 : file.lines.count
            guard count > maximumFileLines else { return [] }
            return [Finding(line: count, reason: "\(count) lines, more than \(maximumFileLines): find the second idea")]
        }
    }

    /// Characters of a line of comment, at most. The formatter looks at code alone.
    static let maximumCommentWidth = 120

    static var keepsCommentsNarrow: Rule {
        Rule { file, _ in
            file.lines.enumerated().compactMap { index, line in
                let isComment = line.trimmingPrefix(while: \.isWhitespace).hasPrefix("//")
                guard isComment, line.count > maximumCommentWidth else { return nil }
                return Finding(line: index + 1, reason: "a comment wider than \(maximumCommentWidth) characters")
            }
        }
    }

    /// Nothing is left open: it is built, or it is not there.
    static var leavesNothingOpen: Rule {
        Rule { file, _ in
            let words = SwiftSource.lineIndices(of: file.lines)
            return ["TODO", "FIXME", "XXX"].flatMap { words[$0] ?? [] }
                .map { Finding(line: $0 + 1, reason: "build it, or take it out") }
        }
    }
}

extension SwiftSource {
    /// Whether the line above is a comment; attributes such as `@available` may stand between.
    fileprivate func hasCommentAbove(line: Int) -> Bool {
        lines.prefix(line - 1).map { $0.trimmingPrefix(while: \.isWhitespace) }
            .last { !$0.hasPrefix("@") }?
            .hasPrefix("//") ?? false
    }
}
