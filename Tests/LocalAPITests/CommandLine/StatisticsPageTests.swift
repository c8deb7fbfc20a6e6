import LocalAPIModel
import Testing

@testable import moot

@Suite("Statistics on a terminal")
struct StatisticsPageTests {
    private let output = Output(isJSON: false, isQuiet: false)

    private func statistics(
        days: [Int], members: Int = 3, hours: [Int: Int] = [14: 5], title: String = "Ship",
        authors: [(name: String, messages: Int)] = [("Alice", 8), ("Bob", 2)]
    ) -> StatisticsDescription {
        StatisticsDescription(
            conversation: "c", title: title, timeZone: "Europe/Berlin",
            days: days.enumerated().map { place, messages in
                StatisticsDescription.Day(day: "2026-11-\(place + 10)", messages: messages, members: members)
            }, hours: (0..<24).map { hours[$0] ?? 0 }, week: [],
            authors: authors.map { StatisticsDescription.Author(user: "u", name: $0.name, messages: $0.messages) },
            messages: days.reduce(0, +), files: StatisticsDescription.Files(count: 1, bytes: 2_048))
    }

    @Test func `draws days, people, hours and members`() {
        let lines = StatisticsPage(statistics(days: [1, 8, 0, 4]), width: 48).lines(output)
        #expect(
            lines == [
                "Ship  2026-11-10 to 2026-11-13, Europe/Berlin",
                "13 messages, 1 file with 2.0 KiB",
                "",
                "Messages a day  most: 8 on 2026-11-11",
                "        ███████",
                "        ███████",
                "        ███████         ███████",
                "▄▄▄▄▄▄▄ ███████         ███████",
                "2026-11-10            2026-11-13",
                "",
                "Most active",
                "Alice  8  ██████████████████████████████████████",
                "Bob    2  █████████▌",
                "",
                "Hours of the day  busiest: 14 to 15, 5",
                "                            █",
                "                            █",
                "0           6           12          18",
                "Members  3",
                "███████ ███████ ███████ ███████",
            ])
    }

    @Test func `says little where nobody wrote`() {
        let lines = StatisticsPage(statistics(days: [0, 0], authors: []), width: 80).lines(output)
        #expect(lines.count == 4)
        #expect(lines[1] == "0 messages, 1 file with 2.0 KiB")
    }

    @Test(arguments: [24, 30, 47, 80, 132, 300], [1, 7, 30, 366])
    func `fits every terminal, however many the days`(width: Int, days: Int) {
        let names = ["\u{1B}[31mRed", "世界世界世界世界世界世界世界", "A", "B", "C", "D", "E"]
        let page = StatisticsPage(
            statistics(
                days: (0..<days).map { $0 % 13 }, hours: [3: 999_999_999], title: String(repeating: "Ship ", count: 40),
                authors: names.map { ($0, 1_000_000) }), width: width)
        let lines = page.lines(output)
        #expect(lines.count <= 23)
        for line in lines {
            #expect(line.displayWidth <= width, "\(line)")
            #expect(line == TerminalText.line(line), "nothing that a terminal obeys")
        }
    }
}
