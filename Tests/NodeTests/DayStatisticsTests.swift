import Foundation
import OperationLog
import SQLiteStore
import Testing
import Time

@testable import Node

@Suite("Messages by day and hour")
struct DayStatisticsTests {
    private func calendar(_ name: String) throws -> ZoneCalendar {
        ZoneCalendar(try #require(TimeZone(identifier: name)))
    }

    private func quarterHour(_ text: String) throws -> Int64 {
        try #require(Clock.time(text)).milliseconds / MessageCounts.quarterHour
    }

    @Test func `end today, by the clocks of the reader`() throws {
        let moment = try #require(Clock.time("2026-11-23T18:20:00Z"))
        for (zone, today) in [("UTC", "2026-11-23"), ("Asia/Kathmandu", "2026-11-24"), ("Asia/Kolkata", "2026-11-23")] {
            let statistics = try DayStatistics(of: 30, endingAt: moment, in: calendar(zone))
            #expect(Clock.name(ofDay: statistics.days.upperBound) == today, "\(zone)")
            #expect(statistics.days.count == 30 && statistics.messages.count == 30)
        }
    }

    @Test func `count each message on its day and in its hour`() throws {
        let calendar = try calendar("Asia/Kathmandu")
        let moment = try #require(Clock.time("2026-11-23T12:00:00Z"))
        var statistics = DayStatistics(of: 2, endingAt: moment, in: calendar)
        statistics.add(
            [
                try quarterHour("2026-11-22T18:15:00Z"): 5, try quarterHour("2026-11-22T18:00:00Z"): 3,
                try quarterHour("2026-11-23T12:00:00Z"): 2,
            ], in: calendar)
        #expect(statistics.messages == [3, 7])
        var hours = Array(repeating: 0, count: 24)
        (hours[0], hours[23], hours[17]) = (5, 3, 2)
        #expect(statistics.hours == hours)
        // In Nepal the five are of the first hour of Monday, and the three of the last one of Sunday.
        var week = Array(repeating: Array(repeating: 0, count: 24), count: 7)
        (week[0][0], week[6][23], week[0][17]) = (5, 3, 2)
        #expect(statistics.week == week)
    }

    @Test func `members are those at the end of a day`() throws {
        let calendar = try calendar("Europe/Berlin")
        let moment = try #require(Clock.time("2026-11-23T12:00:00Z"))
        let statistics = DayStatistics(of: 4, endingAt: moment, in: calendar)
        let growth = try [
            ("2026-11-01T08:00:00Z", 3), ("2026-11-21T08:00:00Z", 4), ("2026-11-21T22:59:00Z", 5),
            ("2026-11-21T23:00:00Z", 4), ("2026-12-01T00:00:00Z", 9),
        ].map { (since: try #require(Clock.time($0.0)).milliseconds, members: $0.1) }
        #expect(statistics.members(growth, in: calendar) == [3, 5, 4, 4])
        #expect(statistics.members([], in: calendar) == [0, 0, 0, 0])
    }
}
