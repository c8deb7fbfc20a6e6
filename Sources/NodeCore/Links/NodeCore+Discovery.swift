import Blobs
import Conversations
import OperationLog
import Replication

extension NodeCore {
    var beacon: Beacon { Beacon(device: device.id, instance: schedule.instance, port: port) }

    /// Devices with an established connection.
    public var connectedDevices: Set<DeviceID> { Set(links.values.compactMap { $0.identity?.device.id }) }

    /// Takes in a datagram that came to the port of beacons.
    public mutating func hear(_ bytes: [UInt8], from sender: Place, at moment: Moment) {
        self.moment = moment
        // Anything may arrive at a well-known port: what is no beacon is not worth a line.
        guard let heard = try? Beacon(decoding: bytes), heard.device != device.id,
            beaconFilter.admits(sender.host, at: now)
        else { return }
        if heardInstances[heard.device] != heard.instance {
            // Whoever is answered once more hears nothing new.
            if heardInstances.count >= PeerDirectory.limit { heardInstances = [:] }
            heardInstances[heard.device] = heard.instance
            effects.append(.answer(beacon.encoded, to: sender))
        }
        guard !connectedDevices.contains(heard.device) else { return }
        directory.hint(heard.device, at: sender.with(port: heard.port).description, now: now)
        dial()
        planWake()
    }

    /// Notes that the host has other networks now: everybody there should hear of this node.
    public mutating func networksChanged(at moment: Moment) {
        self.moment = moment
        schedule.begin(at: now)
        planWake()
    }

    /// Takes in where a peer says that others are.
    mutating func learn(_ addresses: [PeerAddress], from peer: PeerHandle) {
        guard let link = links[peer], let teller = link.identity?.device.id else { return }
        for entry in addresses {
            directory.learn(
                entry.address, of: entry.device, from: teller, isOnThisHost: link.place.isLoopback, at: now)
        }
        planWake()
    }

    /// Dials what is due.
    mutating func dial() {
        for target in directory.dials(connected: connectedDevices, reached: reached, at: now) {
            effects.append(.dial(target))
        }
    }

    /// Notes that a dial brought about no connection.
    public mutating func dialFailed(_ target: DialTarget, at moment: Moment) {
        self.moment = moment
        missed(at: target.address)
        dialEnded(target, reached: false)
    }

    mutating func dialEnded(_ target: DialTarget, reached: Bool) {
        directory.ended(target, reached: reached, at: now, using: &random)
        planWake()
    }

    /// Places where somebody is who is connected.
    private var reached: Set<String> { Set(links.values.compactMap { $0.target?.address }).union(addressBook.values) }

    mutating func planWake() {
        let dials = directory.next(connected: connectedDevices, reached: reached)
        let searches = searches.values.map(\.deadline).min()
        let moments = [
            dials, schedule.next, searches, nextSweep, nextCodeEnd, receiptExchange.nextDeadline,
            typingExchange.nextDeadline, fileExchange.nextDeadline,
        ].compactMap { $0 }
        if let next = moments.min() { effects.append(.wake(at: next)) }
    }
}
