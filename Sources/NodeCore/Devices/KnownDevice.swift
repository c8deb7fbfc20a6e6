import Conversations
import OperationLog
import Storage
import Time

/// A device of a person, as far as this node knows it.
public struct KnownDevice: Hashable, Sendable {
    /// The device.
    public let id: DeviceID
    /// What its user calls it; nil where no record that is here says so.
    public let name: String?
    /// Why it was taken out; nil if it is one of their devices.
    public let takenOut: Tombstone.Kind?
    /// When a conversation first told of it, in milliseconds since 1970; nil if none has.
    public let addedAt: Int64?
    /// When it was last heard of, in milliseconds since 1970: connected, or by what it wrote; nil if never.
    public let lastSeen: Int64?
}

extension NodeCore {
    /// The devices of a person, ascending by id, and then those that they took out.
    ///
    /// - Complexity: O(*n*) in the membership operations of all conversations: for somebody who asks, not for lists of
    ///   people.
    public func devices(of user: UserID) -> [KnownDevice] {
        let person = contacts[user]
        // Only lanes still name what was taken out: the newest record that lists it is right.
        var names: [DeviceID: (serial: UInt64, name: String)] = [:]
        var added: [DeviceID: Int64] = [:]
        for replica in replicas.values where !replica.group.devices(of: user).isEmpty {
            for entry in replica.group.history {
                for record in entry.body?.credentials ?? [] where record.user == user {
                    for device in record.identity.devices {
                        let serial = record.identity.serial
                        if names[device.device.id].map({ $0.serial < serial }) ?? true {
                            names[device.device.id] = (serial, device.name)
                        }
                        added[device.device.id] = min(added[device.device.id] ?? .max, entry.hybridTime)
                    }
                }
            }
        }
        let standing = person.devices.map { entry in
            KnownDevice(
                id: entry.device.id, name: entry.name, takenOut: nil, addedAt: added[entry.device.id],
                lastSeen: lastHeard(of: entry.device.id))
        }
        return standing
            + person.tombstones.all.map { tombstone in
                KnownDevice(
                    id: tombstone.device, name: names[tombstone.device]?.name, takenOut: tombstone.kind,
                    addedAt: added[tombstone.device], lastSeen: lastHeard(of: tombstone.device))
            }
    }

    /// When a device was last connected, or wrote what is here.
    private func lastHeard(of device: DeviceID) -> Int64? {
        if context.isConnected(device) || device == self.device.id { return moment.wall.milliseconds }
        let addresses = (try? storage.addresses()) ?? []
        let connected = addresses.filter { $0.device == device }.compactMap(\.lastSuccess?.milliseconds)
        let wrote = replicas.values.compactMap { replica -> Int64? in
            guard let last = replica.log.contentFrontier.tips[device]?.last?.id,
                let operation = try? storage.operation(last, of: replica.id)
            else { return nil }
            return min(operation.header.time.milliseconds, moment.wall.milliseconds)
        }
        return (connected + wrote).max()
    }
}
