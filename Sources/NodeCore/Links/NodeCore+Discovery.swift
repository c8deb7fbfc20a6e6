import Conversations
import OperationLog
import Replication
import Time

/// What the node's owner and its other parts ask of ``PeerDiscovery``.
extension NodeCore {
    /// Tells discovery what happened, and carries out what it asks for.
    mutating func tellDiscovery(_ event: PeerDiscovery.Event) {
        carryOut(discovery.handle(event, in: context, using: &random))
    }

    /// The port that peers can dial.
    var port: UInt16 { discovery.port }

    /// Devices with an established connection.
    public var connectedDevices: Set<DeviceID> { context.connectedDevices }

    /// Whether there is an established connection to a device.
    public func isConnected(_ device: DeviceID) -> Bool { context.isConnected(device) }

    /// Notes that a dial brought about no connection.
    mutating func dialFailed(_ target: DialTarget, reason: String) {
        tellSearches(.missed(target.address))
        tellDiscovery(.dialEnded(target, .failed(reason)))
    }

    /// Asks to be woken when the next thing is due.
    mutating func planWake() {
        let moments = [
            discovery.nextDeadline(), contactSearches.nextDeadline, retention.nextDeadline,
            inviteCodes.nextDeadline(in: context), receiptExchange.nextDeadline, typingExchange.nextDeadline,
            fileExchange.nextDeadline, cardExchange.nextDeadline, strangers.next, ownDevices.nextDeadline,
            laneExchange.pending.nextDeadline, bodyFetcher.nextDeadline, keyComplaints.nextTurn(after: now),
        ].compactMap { $0 }
        if let next = moments.min() { effects.append(.wake(at: next)) }
    }
}
