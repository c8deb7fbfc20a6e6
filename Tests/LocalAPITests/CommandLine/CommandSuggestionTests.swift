import ArgumentParser
import Testing

@testable import moot

@Suite("Suggestions for misspelt commands")
struct CommandSuggestionTests {
    private let suggestion: CommandSuggestion

    init() throws { suggestion = CommandSuggestion(root: try CommandDeclaration(of: Moot.self)) }

    @Test(arguments: [
        ("staus", "moot status"), ("sned", "moot send"), ("Status", "moot status"), ("lst", "moot list"),
        ("notifications", nil), ("block", "moot people block"), ("xyzzy", nil), ("", nil), ("memb", "moot membership"),
    ])
    func `name the command that is most like it`(word: String, meant: String?) throws {
        let sentence = try #require(suggestion.sentence(about: [word, "Ship"]))
        #expect(sentence.hasPrefix("There is no command 'moot \(ShellWord.quoted(word))'."))
        #expect(sentence.hasSuffix(meant.map { "Did you mean '\($0)'?" } ?? "'."))
    }

    @Test func `look below a command, too`() {
        #expect(
            suggestion.sentence(about: ["token", "creat", "Bob"])
                == "There is no command 'moot token creat'. Did you mean 'moot token create'?")
        #expect(suggestion.sentence(about: ["help", "staus"])?.hasSuffix("Did you mean 'moot status'?") == true)
    }

    @Test(arguments: [
        (["--json", "list"], "moot list --json"),
        (
            ["--home", "/my boat", "--quiet", "send", "Tiny", "x"],
            "moot send Tiny x --home '/my boat' --quiet"
        ),
        (["people", "--json", "verify", "Bob"], "moot people verify Bob --json"),
        (["--limit=3", "read", "Ship", "--", "-x"], "moot read Ship '--limit=3' -- -x"),
    ])
    func `say where options stand`(arguments: [String], meant: String) {
        #expect(suggestion.sentence(about: arguments) == "Options stand behind the command: \(meant)")
    }

    @Test(arguments: [
        ["list", "--jsno"], ["status"], ["--help"], ["--version"], ["send", "Tiny"], ["people"], ["people", "--json"],
        [],
        ["--unknown", "list"],
    ])
    func `say nothing where the command is known`(arguments: [String]) {
        #expect(suggestion.sentence(about: arguments) == nil)
    }

    @Test func `count letters left out, added, replaced or swapped`() {
        for (one, other, expected) in [
            ("staus", "status", 1), ("sned", "send", 1), ("list", "list", 0), ("", "abc", 3),
        ] {
            #expect(CommandSuggestion.distance(one, other) == expected, "\(one) \(other)")
        }
    }

    @Test(arguments: [
        ["staus"], ["--json", "list"], ["staus", "--help"], ["help", "staus"], ["token", "creat", "Bob"],
    ])
    func `are wrong usage`(arguments: [String]) async {
        do {
            _ = try await Moot.meant(by: arguments)
            Issue.record("\(arguments) mean something")
        } catch {
            #expect(Moot.exitCode(for: error).rawValue == ExitStatus.wrongUsage.rawValue)
            #expect(Moot.message(for: error).contains("moot "))
        }
    }
}
