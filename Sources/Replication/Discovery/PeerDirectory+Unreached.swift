import OperationLog
import Time

/// A place where somebody is looked for in vain.
public struct UnreachedPlace: Hashable, Sendable {
    /// The place.
    public let address: String
    /// Who is there, as far as anybody knows.
    public let device: DeviceID?
    /// Whether the user named it.
    public let isNamed: Bool
    /// Dials that failed one after the other.
    public let failures: Int
    /// The stable code of what ended the last one; nil before it.
    public let lastError: String?
}

extension PeerDirectory {
    /// The places where nobody is met who is looked for, by address. Devices with which this node has parted are not
    /// looked for.
    ///
    /// - Complexity: O(*n* log *n*) in the places; for whoever looks for a fault.
    public func unreached(at now: Instant) -> [UnreachedPlace] {
        places.values.filter { place in
            let isNeeded = (place.device ?? place.other?.device).map { !connected.contains($0) } ?? true
            let isResting = place.hintSource != nil && place.device.map { self.isResting($0, at: now) } ?? false
            return place.phase != .connected && isNeeded && !isResting
        }.sorted { $0.address < $1.address }.map {
            UnreachedPlace(
                address: $0.address, device: $0.device, isNamed: $0.hintSource == nil,
                failures: $0.lastError == nil ? 0 : $0.failures,
                lastError: $0.lastError)
        }
    }

    /// The places of a device where it was not met at the last try, by address.
    ///
    /// - Complexity: O(*n*) in the places; for whoever looks for a fault.
    public func failedDials(of device: DeviceID) -> [ReachabilityReport.FailedDial] {
        places.values.filter { $0.device == device }.sorted { $0.address < $1.address }.compactMap { place in
            place.lastError.map { .init(address: place.address, code: $0) }
        }
    }
}
