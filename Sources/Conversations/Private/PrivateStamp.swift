import OperationLog
import Time

/// When a device of a user wrote something of their preferences, so that of two writes the later counts everywhere.
///
/// The time is the device's clock, or one more than every time it had seen: a write beats what its author saw, whatever
/// the clocks say, and of writes made apart from each other the later one beats the earlier. The device makes it
/// unique.
public struct PrivateStamp: Hashable, Comparable, Sendable {
    /// The latest time there may be, some ten thousand years from now: no device that counts on from its clock gets
    /// there.
    static let latestTime: UInt64 = 1 << 48

    /// Milliseconds since 1970.
    public let time: UInt64
    /// Who wrote.
    public let device: DeviceID

    /// Accepts a time of at most 48 bits.
    public init?(time: UInt64, device: DeviceID) {
        guard time <= Self.latestTime else { return nil }
        self.time = time
        self.device = device
    }

    /// The stamp of what a device writes now.
    ///
    /// - Parameter newest: the greatest it has seen; nil for none.
    public init(at wall: Timestamp, after newest: PrivateStamp?, by device: DeviceID) {
        let next = newest.map { $0.time + 1 } ?? 0
        time = min(max(UInt64(wall.milliseconds), next), Self.latestTime)
        self.device = device
    }

    /// The stamp of what a device takes over from another, which is one of the user's no more: it beats no write that
    /// was not beaten before, and claims to be from no later time than now.
    public func takenOver(by device: DeviceID, at wall: Timestamp) -> PrivateStamp {
        PrivateStamp(at: min(time, UInt64(wall.milliseconds)), by: device)
    }

    private init(at time: UInt64, by device: DeviceID) {
        self.time = min(time, Self.latestTime)
        self.device = device
    }

    /// The order of writes.
    public static func < (left: PrivateStamp, right: PrivateStamp) -> Bool {
        (left.time, left.device) < (right.time, right.device)
    }
}
