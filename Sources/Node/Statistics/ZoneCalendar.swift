import Foundation
import OperationLog

/// The days and hours of a time zone.
///
/// A moment belongs to the day and the hour that clocks there show. So the hour that is put back in autumn counts twice
/// for one hour of the day, and a day that a place skipped has no moments.
struct ZoneCalendar {
    /// What clocks show.
    struct LocalTime: Equatable {
        /// The day, counted from 1970-01-01.
        let day: Int64
        /// 0 to 23.
        let hour: Int
    }

    private static let daySeconds: Int64 = 86_400
    /// No time zone was ever as far ahead of UTC.
    private static let widestOffset: Int64 = 86_400

    let zone: TimeZone

    init(_ zone: TimeZone) {
        self.zone = zone
    }

    /// What clocks show at a moment.
    func localTime(atSecond second: Int64) -> LocalTime {
        let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(second)))
        let local = second + Int64(offset)
        let (day, rest) = local.flooredDivision(by: Self.daySeconds)
        return LocalTime(day: day, hour: Int(rest / 3_600))
    }

    /// The stretches of some seconds, counted from 1970, that begin on some days.
    ///
    /// - Complexity: O(1) for stretches of a quarter of an hour: about 200 looks at the clocks.
    func stretches(of seconds: Int64, on days: ClosedRange<Int64>) -> Range<Int64> {
        first(of: seconds, onDay: days.lowerBound)..<first(of: seconds, onDay: days.upperBound + 1)
    }

    private func first(of seconds: Int64, onDay day: Int64) -> Int64 {
        var stretch = (day * Self.daySeconds - Self.widestOffset).flooredDivision(by: seconds).quotient
        while localTime(atSecond: stretch * seconds).day < day { stretch += 1 }
        return stretch
    }
}

extension Int64 {
    /// The quotient rounded down, and what is left, which is never negative.
    fileprivate func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
