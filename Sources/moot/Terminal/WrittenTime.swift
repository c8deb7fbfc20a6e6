import Glibc

/// A moment, from what a person writes about it.
enum WrittenTime {
    /// The end of a duration such as "30m", "8h", "1d" or "1w" that begins now, as RFC 3339 in UTC; nil where it is
    /// none.
    static func end(after duration: String, now: Int = time(nil)) -> String? {
        TimeSpan(argument: duration).flatMap { text(now + $0.seconds) }
    }

    /// The beginning of a duration such as "30m", "8h", "1d" or "1w" that ends now, as RFC 3339 in UTC; nil where it is
    /// none.
    static func beginning(before duration: String, now: Int = time(nil)) -> String? {
        TimeSpan(argument: duration).flatMap { text(now - $0.seconds) }
    }

    /// The next time that a clock on the wall shows, such as "18:30", as RFC 3339 in UTC; nil where it is none.
    static func next(clock: String, now: Int = time(nil)) -> String? {
        times(clock: clock, onDays: [0, 1], from: now)?.first { $0 > now }.flatMap(text)
    }

    /// The last time that a clock on the wall showed, such as "18:30", as RFC 3339 in UTC; nil where it is none.
    static func last(clock: String, now: Int = time(nil)) -> String? {
        times(clock: clock, onDays: [0, -1], from: now)?.first { $0 <= now }.flatMap(text)
    }

    /// When a clock on the wall shows a time on some days, counted from the one of a moment, in seconds since 1970.
    private static func times(clock: String, onDays days: [Int32], from now: Int) -> [Int]? {
        let parts = clock.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ (1...2).contains($0.utf8.count) }),
            let hour = Int32(parts[0]), let minute = Int32(parts[1]), (0..<24).contains(hour), (0..<60).contains(minute)
        else { return nil }
        return days.compactMap { day in
            var now = now
            var local = tm()
            guard localtime_r(&now, &local) != nil else { return nil }
            (local.tm_hour, local.tm_min, local.tm_sec, local.tm_isdst) = (hour, minute, 0, -1)
            local.tm_mday += day
            return mktime(&local)
        }
    }

    private static func text(_ seconds: Int) -> String? {
        var seconds = seconds
        var utc = tm()
        guard gmtime_r(&seconds, &utc) != nil else { return nil }
        var buffer = [CChar](repeating: 0, count: 32)
        let count = strftime(&buffer, buffer.count, "%Y-%m-%dT%H:%M:%SZ", &utc)
        return count > 0 ? String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    }
}
