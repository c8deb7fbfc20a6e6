import Foundation
import OperationLog
import Testing
import Time

@testable import Node

@Suite("Days and hours of a time zone")
struct ZoneCalendarTests {
    private func calendar(_ name: String) throws -> ZoneCalendar {
        ZoneCalendar(try #require(TimeZone(identifier: name)))
    }

    private func second(_ text: String) throws -> Int64 {
        try #require(Clock.time(text)).milliseconds / 1_000
    }

    @Test(arguments: [
        ("UTC", "2026-11-23T23:45:00Z", "2026-11-23", 23),
        ("Europe/Berlin", "2026-11-22T23:00:00Z", "2026-11-23", 0),
        ("Europe/Berlin", "2026-11-22T22:45:00Z", "2026-11-22", 23),
        ("Asia/Kolkata", "2026-11-22T18:30:00Z", "2026-11-23", 0),
        ("Asia/Kolkata", "2026-11-22T18:15:00Z", "2026-11-22", 23),
        ("Asia/Kathmandu", "2026-11-22T18:15:00Z", "2026-11-23", 0),
        ("Asia/Kathmandu", "2026-11-22T18:00:00Z", "2026-11-22", 23),
        ("America/St_Johns", "2026-11-23T03:15:00Z", "2026-11-22", 23),
        ("America/St_Johns", "2026-11-23T03:30:00Z", "2026-11-23", 0),
        ("Pacific/Kiritimati", "2026-11-22T10:00:00Z", "2026-11-23", 0),
        // An hour is left out in spring, and one is there twice in autumn.
        ("Europe/Berlin", "2026-03-29T00:45:00Z", "2026-03-29", 1),
        ("Europe/Berlin", "2026-03-29T01:00:00Z", "2026-03-29", 3),
        ("Europe/Berlin", "2026-10-25T00:15:00Z", "2026-10-25", 2),
        ("Europe/Berlin", "2026-10-25T01:15:00Z", "2026-10-25", 2),
        ("Australia/Lord_Howe", "2026-10-03T15:15:00Z", "2026-10-04", 1),
        ("Australia/Lord_Howe", "2026-10-03T15:30:00Z", "2026-10-04", 2),
    ])
    func `are those that clocks show there`(zone: String, moment: String, day: String, hour: Int) throws {
        let time = try calendar(zone).localTime(atSecond: second(moment))
        #expect(Clock.name(ofDay: time.day) == day)
        #expect(time.hour == hour)
    }

    @Test(arguments: [
        ("UTC", 96), ("Asia/Kathmandu", 96), ("Europe/Berlin", 92), ("Australia/Lord_Howe", 96),
    ])
    func `make a day of as many quarters as it has`(zone: String, count: Int) throws {
        let calendar = try calendar(zone)
        let day = try second("2026-03-29T00:00:00Z") / 86_400
        let quarters = calendar.stretches(of: 900, on: day...day)
        #expect(quarters.count == count)
        #expect(quarters.allSatisfy { calendar.localTime(atSecond: $0 * 900).day == day })
        for outside in [quarters.lowerBound - 1, quarters.upperBound] {
            #expect(calendar.localTime(atSecond: outside * 900).day != day)
        }
    }

    @Test func `a day in autumn is an hour longer`() throws {
        let day = try second("2026-10-25T00:00:00Z") / 86_400
        #expect(try calendar("Europe/Berlin").stretches(of: 900, on: day...day).count == 100)
    }

    @Test func `a day that a place skipped has no moments`() throws {
        let day = try second("2011-12-30T00:00:00Z") / 86_400
        #expect(try calendar("Pacific/Apia").stretches(of: 900, on: day...day).isEmpty)
    }
}
