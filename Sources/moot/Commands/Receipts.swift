import ArgumentParser
import LocalAPIClient
import LocalAPIModel

/// `moot receipts`
struct Receipts: NodeCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show who read a message of yours and when, who only received it, and who has not received it.",
        discussion: """
            Others learn what you read as well, unless you switch it off: everywhere with `moot profile set --receipts off`, in \
            one conversation with `moot private CONVERSATION --receipts off`. Then you do not see what others read either. \
            That messages reached you is always told.
            """)

    @Argument(help: "Your message: its id or the beginning of it, as `moot read --ids` shows it.")
    var message: String

    @OptionGroup var common: CommonOptions

    func run(asking node: LocalClient, printing output: Output) async throws {
        let receipts = try await node.receipts(of: message)
        try output.answer(receipts) { Self.lines(of: receipts) }
        if !receipts.readsShown {
            output.say("You do not show what you read here, so you are not shown what others read.")
        }
    }

    static func lines(of receipts: ReceiptsDescription) -> [String] {
        let columns = max(
            8, (receipts.read + receipts.delivered + receipts.missing).map { $0.name.displayWidth }.max() ?? 0)
        func line(_ what: String, _ person: ReceiptsDescription.Person) -> String {
            let name = TerminalText.line(person.name)
            let padding = String(repeating: " ", count: max(0, columns - name.displayWidth))
            let time = person.at.flatMap { LocalTime($0) }.map { "  \($0.day) \($0.clock)" } ?? ""
            return "\(what)  \(name)\(time.isEmpty ? "" : padding + time)"
        }
        let lines =
            receipts.read.map { line("read     ", $0) } + receipts.delivered.map { line("delivered", $0) }
            + receipts.missing.map { line("not yet  ", $0) }
        return lines.isEmpty ? ["Nobody else was there to get it."] : lines
    }
}
