import ArgumentParser
import LocalAPIClient
import LocalAPIModel

/// `moot join`
struct Join: NodeCommand {
    static let configuration = CommandConfiguration(
        abstract: "Join a group by a code that somebody made with `moot invite GROUP --code`.")

    @Argument(help: "The code; \"-\" reads it from standard input.")
    var code: String

    @OptionGroup var common: CommonOptions

    func run(asking node: LocalClient, printing output: Output) async throws {
        let text = code == "-" ? String(decoding: try InputFile(nil).read(), as: UTF8.self) : code
        let joined = try await node.join(code: text.filter { !$0.isWhitespace })
        try output.changed(joined, "You are a member of \(TerminalText.line(joined.title)).")
    }
}
