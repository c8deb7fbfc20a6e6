import Conversations
import LocalAPIModel
import NodeCore
import OperationLog
import Replication
import Time

extension Node {
    /// Where others are and why they are not reached.
    public func reachability() -> ReachabilityDescription {
        let known = core.reachability(at: now)
        let names = deviceNames
        return ReachabilityDescription(
            places: known.places.map { place in
                .init(
                    address: place.address, device: place.device?.description,
                    name: place.device.flatMap { names[$0] }, named: place.isNamed, failures: place.failures,
                    error: place.lastError, reason: place.lastError.map(Self.words))
            },
            beacons: known.beacons.sorted { $0.key < $1.key }.map { device, beacon in
                .init(device: device.description, address: beacon.address, seconds: beacon.age / .seconds(1))
            },
            ownBeaconSeconds: known.ownBeaconAge.map { $0 / .seconds(1) },
            bans: known.bans.sorted { $0.key < $1.key }.map { device, left in
                .init(device: device.description, name: names[device], secondsLeft: left / .seconds(1))
            },
            missingKeys: replicas.values.sorted { $0.id < $1.id }.compactMap { replica in
                let count = replica.epochs.missing.count
                return count == 0 ? nil : .init(conversation: replica.id.description, count: count)
            })
    }

    /// What the users of known devices are called.
    private var deviceNames: [DeviceID: String] {
        let known = contacts.all.flatMap { person in
            person.devices.map { ($0.device.id, person.name) }
        }
        return Dictionary(known) { first, _ in first }
    }

    /// What the code of a failed dial means.
    static func words(for code: String) -> String {
        switch code {
        case "refused": "nobody listens there"
        case "unreachable": "no route leads there"
        case "timed_out", "handshake_timeout": "no answer came in time"
        case "name_not_found": "no address is known for the name"
        case "reset", "truncated": "the connection was broken off"
        case "wrong_device": "another device than the expected one answered"
        case "bad_handshake", "bad_length": "what answered does not speak this protocol, or another version of it"
        case "given_up": "nothing came from there any more, or something wrong"
        case "goodbye": "the other side ended the connection"
        default: code.replacing("_", with: " ")
        }
    }
}
