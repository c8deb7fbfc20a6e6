import Glibc

/// A moment of the interface (RFC 3339, UTC) in the time zone of whoever reads it.
struct LocalTime {
    /// For example "12:03".
    let clock: String
    /// For example "2026-11-21".
    let day: String

    /// Reads a moment, or returns nil where it is none.
    init?(_ moment: String) {
        let bytes = Array(moment.utf8)
        func number(_ range: Range<Int>) -> Int32? {
            Int32(String(decoding: bytes[range], as: UTF8.self))
        }
        guard bytes.count >= 20, bytes.last == UInt8(ascii: "Z"), bytes[10] == UInt8(ascii: "T"),
            let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19)
        else { return nil }
        var utc = tm()
        utc.tm_year = year - 1_900
        utc.tm_mon = month - 1
        utc.tm_mday = day
        utc.tm_hour = hour
        utc.tm_min = minute
        utc.tm_sec = second
        var seconds = timegm(&utc)
        var local = tm()
        guard localtime_r(&seconds, &local) != nil else { return nil }
        self.init(local)
    }

    /// The day it is now; nil where the system does not tell.
    static var today: String? {
        var now = time(nil)
        var local = tm()
        return localtime_r(&now, &local).map { _ in LocalTime(local).day }
    }

    private init(_ local: tm) {
        clock = Self.padded(local.tm_hour) + ":" + Self.padded(local.tm_min)
        self.day = "\(local.tm_year + 1_900)-" + Self.padded(local.tm_mon + 1) + "-" + Self.padded(local.tm_mday)
    }

    private static func padded(_ number: Int32) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
