import ArgumentParser
import Foundation
import LocalAPIClient
import LocalAPIModel

/// `moot stats`
struct Stats: NodeCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show how much is written in a conversation, when and by whom.",
        discussion: """
            Days and hours are those of your time zone. What counts is what you can read here: not what was deleted, what is \
            older than what you keep, what is from before you joined, and what people wrote whom you blocked. A group may show its \
            statistics to admins only: `moot set GROUP statistics admins`.
            """)

    @Argument(help: "The conversation.", completion: .conversation)
    var conversation: String

    @Option(help: "How many days, the last one today; up to 366.")
    var days = 30

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if days < 1 { throw ValidationError("--days needs a whole number above 0.") }
    }

    func run(asking node: LocalClient, printing output: Output) async throws {
        let statistics = try await node.statistics(
            of: conversation, days: days, timeZone: TimeZone.current.identifier)
        try output.answer(statistics) {
            let width = Terminal.columns(.output) ?? StatisticsPage.usualWidth
            return StatisticsPage(statistics, width: width).lines(output)
        }
    }
}
