import OperationLog
import SQLiteStore
import Time

/// Messages counted by the days and hours of a time zone.
struct DayStatistics: Equatable {
    /// The days, counted from 1970-01-01; the last one is that of the moment asked at.
    let days: ClosedRange<Int64>
    /// Messages on each of the days.
    private(set) var messages: [Int]
    /// Messages in each hour of the day, all days together.
    private(set) var hours = Array(repeating: 0, count: 24)
    /// The same for each day of the week, Monday first.
    private(set) var week = Array(repeating: Array(repeating: 0, count: 24), count: 7)

    /// Begins without messages.
    ///
    /// - Parameter count: how many days, at least 1.
    init(of count: Int, endingAt moment: Timestamp, in calendar: ZoneCalendar) {
        let today = calendar.localTime(atSecond: moment.milliseconds / 1_000).day
        days = today - Int64(count) + 1...today
        messages = Array(repeating: 0, count: count)
    }

    /// The quarters of an hour, counted from 1970, that the days are made of.
    func quarterHours(in calendar: ZoneCalendar) -> Range<Int64> {
        calendar.stretches(of: MessageCounts.quarterHour / 1_000, on: days)
    }

    /// Counts the messages in quarters of an hour that the days are made of.
    mutating func add(_ quarterHours: [Int64: Int], in calendar: ZoneCalendar) {
        for (quarterHour, count) in quarterHours {
            let time = calendar.localTime(atSecond: quarterHour * MessageCounts.quarterHour / 1_000)
            // Where clocks are put back just after midnight, a quarter of the first day shows the day before.
            let day = min(max(time.day, days.lowerBound), days.upperBound)
            messages[Int(day - days.lowerBound)] += count
            hours[time.hour] += count
            week[Self.weekday(of: day)][time.hour] += count
        }
    }

    /// The day of the week of a day counted from 1970-01-01, which was a Thursday; 0 is Monday.
    static func weekday(of day: Int64) -> Int {
        let weekday = Int((day + 3) % 7)
        return weekday < 0 ? weekday + 7 : weekday
    }

    /// How many members there were at the end of each day.
    ///
    /// - Parameter growth: how many there were from when on, in milliseconds since 1970, ascending.
    func members(_ growth: [(since: Int64, members: Int)], in calendar: ZoneCalendar) -> [Int] {
        var steps = growth[...]
        var members = 0
        return days.map { day in
            while let step = steps.first, calendar.localTime(atSecond: step.since / 1_000).day <= day {
                members = step.members
                steps = steps.dropFirst()
            }
            return members
        }
    }
}
