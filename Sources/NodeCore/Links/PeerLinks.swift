import OperationLog
import Replication

/// The connections of a node, found by what they are asked for: each, or those to a device.
///
/// A node in a crowd has hundreds, and something happens on one of them all the time. So nobody looks through all of
/// them for one.
public struct PeerLinks: Sendable {
    private var links: [PeerHandle: PeerLink] = [:]
    /// The connection to each device that has proven who it is.
    private var ofDevice: [DeviceID: PeerHandle] = [:]

    /// No connections.
    public init() {}

    /// A connection; nil once it is over.
    public subscript(handle: PeerHandle) -> PeerLink? {
        get { links[handle] }
        set {
            let before = links[handle]
            links[handle] = newValue
            if before?.identity?.device.id != newValue?.identity?.device.id {
                if let device = before?.identity?.device.id, ofDevice[device] == handle { ofDevice[device] = nil }
                if let device = newValue?.identity?.device.id { ofDevice[device] = handle }
            }
        }
    }

    /// Forgets a connection, and returns it.
    mutating func removeValue(forKey handle: PeerHandle) -> PeerLink? {
        defer { self[handle] = nil }
        return links[handle]
    }

    /// The connection to a device that has proven who it is; nil if there is none.
    public func handle(of device: DeviceID) -> PeerHandle? { ofDevice[device] }

    /// The devices that have proven who they are.
    var devices: Dictionary<DeviceID, PeerHandle>.Keys { ofDevice.keys }

    /// What the connections are called.
    public var keys: Dictionary<PeerHandle, PeerLink>.Keys { links.keys }

    /// The connections.
    public var values: Dictionary<PeerHandle, PeerLink>.Values { links.values }

    /// How many there are.
    public var count: Int { links.count }
}

extension PeerLinks: Sequence {
    /// Goes through the connections in no order.
    public func makeIterator() -> Dictionary<PeerHandle, PeerLink>.Iterator { links.makeIterator() }
}
