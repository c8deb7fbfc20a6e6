import ArgumentParser
import Conversations
import LocalAPIClient
import LocalAPIModel

/// The names that a shell completes: those that the running node knows at that moment.
///
/// A shell waits for them while somebody types. So without a node, or with one that is slow, there are none.
enum LiveNames {
    /// Longer than a node takes, and shorter than a person waits.
    static let timeout = Duration.milliseconds(500)

    /// The first answer in time; nothing after that, whatever still goes on.
    static func answer(
        within timeout: Duration, _ names: @escaping @Sendable () async throws -> [String]
    ) async -> [String] {
        let (answers, answer) = AsyncStream<[String]>.makeStream()
        let asking = Task { answer.yield((try? await names()) ?? []) }
        let waiting = Task {
            try? await Task.sleep(for: timeout)
            answer.yield([])
        }
        defer {
            asking.cancel()
            waiting.cancel()
        }
        for await first in answers { return first }
        return []
    }

    /// The node that the words of a command line ask: `--home` may stand among them.
    static func client(for words: [String]) -> LocalClient {
        var common = CommonOptions()
        common.home =
            words.firstIndex(of: "--home").flatMap { words.dropFirst($0 + 1).first }
            ?? words.last { $0.hasPrefix("--home=") }.map { String($0.dropFirst("--home=".count)) }
        common.json = false
        return common.client
    }

    /// Names that each mean one thing, in the order of the alphabet. A name that two share, or that looks like another,
    /// is no use on a command line, nor is one that means an id or a word of Moot's own.
    ///
    /// Others choose names. What bash completes it expands as it would a command line, so `$(reboot)` would be run; zsh
    /// takes what follows a colon for a description. So a name is left out that has anything in it but letters, digits,
    /// spaces and plain punctuation.
    static func offered(_ names: [String]) -> [String] {
        let counts = names.reduce(into: [:]) { counts, name in counts[NameLook(of: name), default: 0] += 1 }
        return names.filter { counts[NameLook(of: $0)] == 1 && isHarmless($0) && isMeant($0) }.sorted()
    }

    private static func isMeant(_ name: String) -> Bool {
        switch Designation(name) {
        case .name: true
        // Whoever is called so has a marked name, so the title is that of the notes.
        case .oneself: name == OwnWord.notes.rawValue
        case .id, .ownWord: false
        }
    }

    private static func isHarmless(_ name: String) -> Bool {
        guard let first = name.first, first.isLetter || first.isNumber, TerminalText.line(name) == name else {
            return false
        }
        return name.unicodeScalars.allSatisfy { scalar in
            scalar.isASCII
                ? scalar.properties.isAlphabetic || "0123456789 -_.,+@".unicodeScalars.contains(scalar)
                : scalar.properties.isAlphabetic || scalar.properties.isGraphemeExtend || scalar.properties.isEmoji
        }
    }
}

extension CompletionKind {
    /// The titles of the node's conversations.
    static var conversation: CompletionKind {
        .custom { words, _, _ in
            await LiveNames.answer(within: LiveNames.timeout) {
                LiveNames.offered(try await LiveNames.client(for: words).conversations().map(\.title))
            }
        }
    }

    /// The names of the people whom the node knows.
    static var person: CompletionKind {
        .custom { words, _, _ in
            await LiveNames.answer(within: LiveNames.timeout) {
                LiveNames.offered(try await LiveNames.client(for: words).people().map(\.name))
            }
        }
    }
}
