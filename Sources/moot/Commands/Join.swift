import ArgumentParser
import LocalAPIClient
import LocalAPIModel

/// `moot join`
struct Join: NodeCommand {
    static let configuration = CommandConfiguration(
        abstract: "Join a group by a code that somebody made with `moot invite GROUP --code`.")

    @OptionGroup var code: SecretCode

    @OptionGroup var common: CommonOptions

    func run(asking node: LocalClient, printing output: Output) async throws {
        let joined = try await node.join(code: code.read("invite code", for: "moot join", common))
        try output.changed(joined, "You are a member of \(TerminalText.line(joined.title)).")
    }
}
