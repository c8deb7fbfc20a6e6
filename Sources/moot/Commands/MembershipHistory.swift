import ArgumentParser
import LocalAPIClient
import LocalAPIModel

/// `moot membership history`
struct MembershipHistory: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "List every change of a group's membership with its verdict.")

    @Argument(help: "The group.", completion: .conversation)
    var conversation: String

    @OptionGroup var common: CommonOptions

    func run(asking node: LocalClient, printing output: Output) async throws {
        let entries = try await node.membershipHistory(of: conversation)
        try output.answer(entries) { entries.map { $0.line(output) } }
    }
}

extension MembershipEntryDescription {
    /// The entry as the membership commands print it: void ones are marked and say which rule and operation decided.
    func line(_ output: Output) -> String {
        let time = LocalTime(self.time).map { "\($0.day) \($0.clock)" } ?? "-"
        let begin = "\(output.faint(String(id.prefix(12))))  \(time)  "
        guard !effective else { return begin + TerminalText.line(sentence) }
        var line = begin + "void: " + TerminalText.line(sentence)
        let reasons = [rule.map { "rule \($0)" }, decidedBy.map { "by \($0.prefix(12))" }].compactMap(\.self)
        if !reasons.isEmpty { line += TerminalText.line(" [\(reasons.joined(separator: ", "))]") }
        return line
    }
}
