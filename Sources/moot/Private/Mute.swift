import ArgumentParser
import LocalAPIClient
import LocalAPIModel

/// `moot mute`
struct Mute: NodeCommand {
    static let configuration = CommandConfiguration(
        abstract: "Get no notifications of a conversation, for a while or forever.")

    @Argument(help: "The conversation.", completion: .conversation)
    var conversation: String

    @Argument(help: ArgumentHelp("For how long, like 1h, 8h, 1d or 1w. Without it, forever.", valueName: "duration"))
    var duration: String?

    @Option(help: ArgumentHelp("Until when: 18:30, or 2026-11-21T18:30:00Z.", valueName: "time"))
    var until: String?

    @Flag(help: "Messages that mention you notify nevertheless.")
    var mentionsOnly = false

    @Flag(help: "Get notifications again.")
    var off = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard [duration != nil, until != nil, off].count(where: { $0 }) <= 1, !(off && mentionsOnly) else {
            throw ValidationError("Give a duration, or --until, or --off.")
        }
        _ = try muting()
    }

    func run(asking node: LocalClient, printing output: Output) async throws {
        let wish = PreferencesRequest(muting: try muting(), mentionsOnly: off ? nil : mentionsOnly)
        let changed = try await node.change(conversation, privately: wish)
        let mute = PrivateMarks.mute(of: changed).map { "is muted \($0)" } ?? "notifies you again"
        try output.changed(changed, "\(TerminalText.line(changed.title)) \(mute).")
    }

    private func muting() throws -> PreferencesRequest.Muting {
        if off { return .off }
        if let until { return .until(WrittenTime.next(clock: until) ?? until) }
        guard let duration, duration != "forever" else { return .forever }
        guard let end = WrittenTime.end(after: duration) else {
            throw ValidationError("\"\(duration)\" is no duration: write 30m, 8h, 1d or 1w.")
        }
        return .until(end)
    }
}
