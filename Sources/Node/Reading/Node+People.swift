import Foundation
import OperationLog
import SQLiteStore

extension Node {
    /// Who this node is.
    public func identity() -> IdentityDescription {
        let device = home.author.device
        return IdentityDescription(
            user: me.description, name: card.name, device: device.id.description,
            deviceName: card.identity.devices.first { $0.device.id == device.id }?.name ?? "", home: home.folder)
    }

    /// Everybody this node has heard of, by name.
    public func people() -> [PersonDescription] {
        people.all.map(describe)
    }

    /// Changes the name others see.
    ///
    /// - Throws: `name_invalid`, `disk_full`, `storage_failed`.
    public func setProfile(name: String?) throws(NodeError) -> IdentityDescription {
        guard let name, name != card.name else { return identity() }
        guard let changed = ProfileCard(root: home.root, version: card.version + 1, name: name, identity: card.identity)
        else {
            throw NodeError(.nameInvalid, "A name has 1 to 50 characters")
        }
        do throws(StoreError) {
            _ = try store.save(changed, seenAt: Clock.now)
        } catch {
            throw NodeError(error)
        }
        card = changed
        _ = people.learn(changed)
        replicate(.cardChanged(changed.encoded))
        publishPerson(me)
        return identity()
    }

    func describe(_ person: People.Person) -> PersonDescription {
        PersonDescription(
            user: person.user.description, name: person.name, presence: presence(of: person),
            lastSeen: person.lastSeen.map(Clock.text), verified: false,
            devices: person.identity?.devices.map(\.device.id.description) ?? [], isMe: person.user == me)
    }

    /// Keeps a record that an operation or a peer carried.
    func keep(_ record: IdentityRecord) {
        do throws(StoreError) {
            _ = try store.save(record)
        } catch {
            logger.warning("a person's devices could not be kept", metadata: ["error": "\(error)"])
        }
    }
}
