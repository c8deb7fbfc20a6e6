import Foundation

/// A command that a document shows in a console, and the lines it shows below; none where it shows none.
struct ConsoleStep: Sendable {
    /// Whose host it is typed on: "bob" for `bob$ moot …`, empty for the reader's own.
    let host: String
    /// The command without its comment.
    let command: String
    private(set) var output: [String] = []

    /// The commands in the consoles of a document, in their order.
    static func all(in document: URL) throws -> [ConsoleStep] {
        var steps: [ConsoleStep] = []
        var isConsole = false
        for line in try String(contentsOf: document, encoding: .utf8).split(separator: "\n") {
            if line.hasPrefix("```") {
                isConsole = line == "```console"
            } else if isConsole, let prompt = line.prefixMatch(of: /([a-z]*)\$\s/) {
                let command = line[prompt.range.upperBound...].replacing(#/ {2,}#.*/#, with: "")
                steps.append(ConsoleStep(host: String(prompt.output.1), command: String(command)))
            } else if isConsole, !steps.isEmpty {
                steps[steps.count - 1].output.append(String(line))
            }
        }
        return steps
    }

    /// What answers every question for a passphrase.
    private static let passphrase = "correct horse"

    /// What a person types while the command runs, each after the text that asks for it.
    var answers: [(question: String, answer: String)] {
        output.compactMap { line -> (question: String, answer: String)? in
            if let asked = line.wholeMatch(of: /(.*\[y\/N\]) (\w+)/) {
                return (question: String(asked.output.1), answer: String(asked.output.2))
            }
            guard ["Passphrase:", "New passphrase:", "Again:"].contains(line) else { return nil }
            return (question: line, answer: Self.passphrase)
        }
    }

    /// What shows that a command which runs until Ctrl-C has begun; nil for a command that ends by itself.
    var beginning: String? {
        if command.hasPrefix("moot chat") { return "/help" }
        if command.hasPrefix("moot watch") { return "Watching" }
        return command.hasSuffix("/events") ? ": connected" : nil
    }

    /// Whether it starts a node. `scripts/up` builds one, which is done, and then does the same.
    var startsNode: Bool { command.hasPrefix("moot up") || command.hasPrefix("scripts/up") }

    /// Whether it changes nothing, so that it can be asked again.
    var isQuestion: Bool {
        let asks = /moot (files|info|list|membership|peers|people|pins|read|receipts|search|status|verify|whoami)\b/
        let changes = /--(save|cancel|retry)|people (add|block|photo|unblock|verify)\b/
        return command.prefixMatch(of: asks) != nil && command.firstMatch(of: changes) == nil
    }
}

/// The ids and codes that documents make up, and what they stand for in this run.
struct MadeUpNames {
    private var known: [(shown: String, real: String)] = []

    /// A command of a document with the real names in it. An id may be shortened there, a code may end in an ellipsis.
    func real(_ command: String) -> String {
        command.replacing(Self.names) { name in
            let shown = String(name.output).replacing("…", with: "")
            guard let known = known.first(where: { $0.shown.hasPrefix(shown) }) else { return String(name.output) }
            return shown.contains(":") ? known.real : String(known.real.prefix(shown.count))
        }
    }

    /// Takes up the names in a line that came, by their places in the line that was shown.
    mutating func learn(_ shown: String, as real: String) {
        for (shown, real) in zip(shown.matches(of: Self.names), real.matches(of: Self.names)) {
            let shown = String(shown.output).replacing("…", with: "")
            if !known.contains(where: { $0.shown.hasPrefix(shown) }) { known.append((shown, String(real.output))) }
        }
    }

    private static var names: Regex<Substring> { /[0-9a-f]{8,}|moot:(?:contact|invite):[A-Z2-7]+…?/ }

    /// A line without what differs from run to run: names, times, sizes and how wide the columns are.
    static func unspecific(_ line: String) -> String {
        line.replacing(names, with: "NAME").replacing(/\d{5}( \d{5}){5}/, with: "CODE")
            .replacing(/\d{4}(-\d\d){2} \d\d:\d\d/, with: "DATE").replacing(/\[\d\d:\d\d\]/, with: "[TIME]")
            .replacing(/[0-9.]+ (B|KiB|MiB)/, with: "SIZE").replacing(#/ +/#, with: " ")
    }
}
