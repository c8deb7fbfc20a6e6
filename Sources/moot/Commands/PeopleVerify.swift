import ArgumentParser
import LocalAPIClient
import LocalAPIModel

/// `moot people verify`
struct PeopleVerify: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Compare a code with a person, to be sure that you have their real key.",
        discussion: """
            Both of you run this and read the code to each other, face to face or on the telephone. The same code on both \
            sides means that each of you has the other's real key. Do not send it through this chat.
            """)

    @Argument(help: "The person.", completion: .person)
    var person: String

    @Flag(help: "Say that the codes are the same, without a question.")
    var matches = false

    @Flag(help: "Take it back: the person is no longer verified.")
    var undo = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if matches, undo { throw ValidationError("--matches and --undo exclude each other.") }
    }

    func run(asking node: LocalClient, printing output: Output) async throws {
        guard !undo else {
            let person = try await node.setVerified(false, of: person)
            return try output.changed(person, "\(TerminalText.line(person.name)) is not verified any more.")
        }
        var comparison = try await node.comparison(with: person)
        let name = TerminalText.line(comparison.person.name)
        if matches {
            comparison.person = try await node.setVerified(true, of: comparison.person.user)
        }
        try output.answer(comparison) { lines(for: comparison, output) }
        if matches { return output.say("\(name) is verified.") }
        guard common.mayAsk else {
            return output.say(
                "If \(name) sees the same code: moot people verify \(comparison.person.user.prefix(16)) --matches")
        }
        guard Question.isAnsweredYes("Do both of you see this code?") else {
            return output.say("Nothing was changed. If the codes differ, you do not have each other's real keys.")
        }
        _ = try await node.setVerified(true, of: comparison.person.user)
        output.say("\(name) is verified.")
    }

    private func lines(for comparison: ComparisonDescription, _ output: Output) -> [String] {
        [
            output.bold(comparison.code),
            "you    \(comparison.me.user)  \(TerminalText.line(comparison.me.name))",
            "other  \(comparison.person.user)  \(TerminalText.line(comparison.person.name))",
        ]
    }
}
