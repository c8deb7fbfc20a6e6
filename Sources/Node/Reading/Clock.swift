import Foundation
import OperationLog

/// Reads the wall clock and prints times as the interface does.
enum Clock {
    /// The time now, brought into the years an operation may claim.
    static var now: Timestamp {
        Timestamp(clamping: Int64((Date().timeIntervalSince1970 * 1_000).rounded()))
    }

    /// RFC 3339 with milliseconds, in UTC: `2026-11-21T09:30:00.000Z`.
    static func text(_ milliseconds: Int64) -> String {
        Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
            .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    /// Reads a time of RFC 3339, with or without fractions of a second and in any time zone; nil where it is none.
    static func time(_ text: String) -> Timestamp? {
        for hasFraction in [false, true] {
            let style = Date.ISO8601FormatStyle(includingFractionalSeconds: hasFraction)
            guard let date = try? Date(text, strategy: style) else { continue }
            let milliseconds = date.timeIntervalSince1970 * 1_000
            return Int64(exactly: milliseconds.rounded()).flatMap { Timestamp(milliseconds: $0) }
        }
        return nil
    }
}
