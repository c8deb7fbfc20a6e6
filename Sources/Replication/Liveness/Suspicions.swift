import OperationLog
import Time

/// Which devices fell silent in the last seconds, and who says so: several at once mean that a part of the network is
/// gone, or this node is.
struct Suspicions: Sendable {
    /// How close together two losses count as one.
    static let window: Duration = .seconds(3)
    /// Reports that are remembered, the latest.
    private static let maximumReports = 64

    private struct Report: Sendable {
        let device: DeviceID
        /// Who missed it; nil for this node.
        let source: DeviceID?
        let at: Instant
    }

    private var reports: [Report] = []

    /// Notes that a device is missed.
    ///
    /// - Parameter source: who says so; nil if this node found it out.
    /// - Returns: whether another device is missed, too, and one peer alone could not have made that up.
    mutating func note(_ device: DeviceID, by source: DeviceID?, at now: Instant) -> Bool {
        reports.removeAll { now - $0.at > Self.window }
        let isOneOfMany = reports.contains {
            $0.device != device && ($0.source != source || source == nil)
        }
        if reports.count >= Self.maximumReports { reports.removeFirst() }
        reports.append(Report(device: device, source: source, at: now))
        return isOneOfMany
    }
}
