import Conversations
import OperationLog
import Replication

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

    /// Takes in a datagram that came to the port of beacons.
    public mutating func hear(_ bytes: [UInt8], from sender: Endpoint, at moment: Moment) {
        self.moment = moment
        tellDiscovery(.heard(bytes, from: sender))
    }

    /// Notes that the host has other networks now: everybody there should hear of this node.
    public mutating func networksChanged(at moment: Moment) {
        self.moment = moment
        tellDiscovery(.networksChanged)
    }

    /// Notes that a dial brought about no connection.
    public mutating func dialFailed(_ target: DialTarget, at moment: Moment) {
        self.moment = moment
        tellSearches(.missed(target.address))
        tellDiscovery(.dialEnded(target, reached: false, wasOurselves: false))
    }

    /// Asks to be woken when the next thing is due.
    mutating func planWake() {
        let moments = [
            discovery.nextDeadline(in: context), contactSearches.nextDeadline, retention.nextDeadline,
            inviteCodes.nextDeadline(in: context), receiptExchange.nextDeadline, typingExchange.nextDeadline,
            fileExchange.nextDeadline,
        ].compactMap { $0 }
        if let next = moments.min() { effects.append(.wake(at: next)) }
    }
}
