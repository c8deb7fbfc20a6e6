import LocalAPIModel

/// The statistics of a conversation as a terminal shows them: one screen of 24 lines with its prompt, in any width.
struct StatisticsPage {
    /// Columns of a terminal that does not say how many it has.
    static let usualWidth = 80
    static let leastWidth = 24
    /// People who are shown.
    private static let authors = 5
    private static let widestName = 20

    private let statistics: StatisticsDescription
    private let width: Int
    /// Messages of the day or the hour with the most.
    private let most: (day: StatisticsDescription.Day, hour: Int)?

    init(_ statistics: StatisticsDescription, width: Int) {
        self.statistics = statistics
        self.width = max(width, Self.leastWidth)
        let hour = statistics.hours.indices.max { statistics.hours[$0] < statistics.hours[$1] }
        most = statistics.days.max { $0.messages < $1.messages }.flatMap { day in hour.map { (day, $0) } }
    }

    /// The lines; none is wider than a terminal of ``leastWidth`` columns or more.
    func lines(_ output: Output) -> [String] {
        var lines = [head(fitting(TerminalText.line(statistics.title)), period, output), fitting(totals)]
        if let most, most.day.messages > 0 {
            lines += [""] + days(most.day, output) + [""] + active(output) + [""] + hours(most.hour, output)
        }
        return lines + growth(output)
    }

    private var period: String {
        let zone = TerminalText.line(statistics.timeZone)
        guard let first = statistics.days.first?.day, let last = statistics.days.last?.day else { return zone }
        return "\(TerminalText.line(first)) to \(TerminalText.line(last)), \(zone)"
    }

    private var totals: String {
        let files = TerminalText.count(statistics.files.count, "file")
        return TerminalText.count(statistics.messages, "message")
            + ", \(files) with \(TerminalText.size(statistics.files.bytes))"
    }

    private func days(_ most: StatisticsDescription.Day, _ output: Output) -> [String] {
        let values = Bars.joining(statistics.days.map(\.messages), width: width) { $0.reduce(0, +) }
        let chart = Bars.standing(values, height: 4, width: width)
        let first = TerminalText.line(statistics.days.first?.day ?? "")
        let last = TerminalText.line(statistics.days.last?.day ?? "")
        let room = values.count * Bars.pitch(of: values.count, width: width)
        let gap = String(repeating: " ", count: max(2, room - first.displayWidth - last.displayWidth))
        let axis = first + gap + last
        let isShort = statistics.days.count == 1 || axis.displayWidth > width
        let header = head("Messages a day", "most: \(most.messages) on \(TerminalText.line(most.day))", output)
        return [header] + chart + [fitting(isShort ? first : axis)]
    }

    private func active(_ output: Output) -> [String] {
        let shown = statistics.authors.prefix(Self.authors)
        let names = shown.map {
            TerminalText.line($0.name).shortened(toWidth: min(Self.widestName, width / 3))
        }
        let counts = shown.map { String($0.messages) }
        let nameWidth = names.map(\.displayWidth).max() ?? 0
        let countWidth = counts.map(\.count).max() ?? 0
        let room = max(1, width - nameWidth - countWidth - 4)
        let greatest = shown.first?.messages ?? 0
        let rows = zip(names, zip(counts, shown)).map { name, row in
            let padding = String(repeating: " ", count: nameWidth - name.displayWidth + 2)
            let count = String(repeating: " ", count: countWidth - row.0.count) + row.0
            return "\(name)\(padding)\(count)  \(Bars.lying(row.1.messages, of: greatest, width: room))"
        }
        return [head("Most active", "", output)] + rows
    }

    private func hours(_ busiest: Int, _ output: Output) -> [String] {
        let pitch = Bars.pitch(of: statistics.hours.count, width: width)
        var axis = ""
        for hour in stride(from: 0, to: statistics.hours.count, by: 6) {
            axis += String(repeating: " ", count: max(0, hour * pitch - axis.count)) + "\(hour)"
        }
        let header = head(
            "Hours of the day", "busiest: \(busiest) to \(busiest + 1), \(statistics.hours[busiest])", output)
        return [header] + Bars.standing(statistics.hours, height: 2, width: width) + [fitting(axis)]
    }

    private func growth(_ output: Output) -> [String] {
        let members = statistics.days.map(\.members)
        guard let first = members.first, let last = members.last else { return [] }
        let values = Bars.joining(members, width: width) { $0.last ?? 0 }
        let header = head("Members", first == last ? "\(last)" : "\(first), now \(last)", output)
        return [header] + Bars.standing(values, height: 1, width: width)
    }

    private func head(_ title: String, _ detail: String, _ output: Output) -> String {
        guard !detail.isEmpty, title.displayWidth + detail.displayWidth + 2 <= width else { return output.bold(title) }
        return "\(output.bold(title))  \(output.faint(detail))"
    }

    private func fitting(_ line: String) -> String { line.shortened(toWidth: width) }
}
