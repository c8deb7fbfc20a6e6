/// A wall-clock time as its author claims it: milliseconds since 1970.
///
/// Times outside the years 2000 to 2100 cannot be represented: bytes that claim one are malformed.
public struct Timestamp: Hashable, Comparable, Sendable {
    /// 2000-01-01T00:00:00Z.
    public static let earliest = Timestamp(unchecked: 946_684_800_000)
    /// 2100-01-01T00:00:00Z.
    public static let latest = Timestamp(unchecked: 4_102_444_800_000)

    /// Milliseconds since 1970.
    public let milliseconds: Int64

    /// Accepts a time between 2000 and 2100.
    public init?(milliseconds: Int64) {
        guard (Self.earliest.milliseconds...Self.latest.milliseconds).contains(milliseconds) else { return nil }
        self.milliseconds = milliseconds
    }

    /// Brings any clock reading into the years 2000 to 2100.
    public init(clamping milliseconds: Int64) {
        self.milliseconds = min(max(milliseconds, Self.earliest.milliseconds), Self.latest.milliseconds)
    }

    private init(unchecked milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// The order of time.
    public static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }
}
