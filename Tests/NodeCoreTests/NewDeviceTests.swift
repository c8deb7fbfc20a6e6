import Conversations
import Cryptography
import OperationLog
import Storage
import Testing
import Time

@testable import NodeCore
@testable import Replication
@testable import Simulation

/// Alice's desk is lost. Alice comes back on a new host with the recovery code, or with a backup.
@Suite("A new device with the root")
struct NewDeviceTests {
    private var house: Household
    private let group: ConversationID
    private let backup: DiskImage
    private var random = SeededRandom(seed: 5)

    private static let desk = Household.desk
    private static let bob = Household.bob

    init() throws {
        var house = try Household()
        house.connect(Self.desk, Self.bob)
        house.run(for: .seconds(1))
        _ = house.cores[Self.desk].contacts.learn(house.cores[Household.carol].ownCredentials)
        let others = [house.cores[Self.bob].me, house.cores[Household.carol].me]
        group = try house.cores[Self.desk].createGroup(name: "Ship", members: others, at: house.moment)
        _ = try house.cores[Self.desk].send(["one"], to: group, at: house.moment)
        try house.cores[Self.desk].setProfile(name: "Alicia", at: house.moment)
        house.run(for: .seconds(1))
        backup = house.disks[Self.desk].image
        // Another view: what follows is sealed under a key that the backup has not.
        try house.cores[Self.desk].remove(house.cores[Household.carol].me, from: group, at: house.moment)
        _ = try house.cores[Self.desk].send(["two"], to: group, at: house.moment)
        house.run(for: .seconds(1))
        _ = try house.cores[Self.bob].send(["three"], to: group, at: house.moment)
        house.run(for: .seconds(1))
        self.house = house
    }

    /// The devices that a node counts as Alice's.
    private func devices(at core: Int) -> Set<DeviceID> {
        Set(house.cores[core].contacts[house.cores[Self.desk].me].devices.map(\.device.id))
    }

    private func id(_ core: Int) -> DeviceID { house.cores[core].device.id }

    @Test mutating func `signs nothing before it has met somebody who knows the user`() throws {
        house.disconnect(Self.desk)
        let new = try house.recover(Self.desk)
        let stranger = try house.recover(Household.carol)
        house.connect(new, stranger)
        house.run()
        #expect(house.cores[new].isNewDevice)
        #expect(house.cores[new].card.version == 0)
        #expect(house.cores[new].context.countingIdentity.serial == 0)
        #expect(throws: NodeError.notCertified) { try house.cores[new].setProfile(name: "A", at: house.moment) }
        #expect(house.disks[new].image.conversations.isEmpty)
    }

    @Test mutating func `becomes a device once a member shows the user's card, and takes out none`() throws {
        house.disconnect(Self.desk)
        let before = try #require(house.cores[Self.bob].contacts[house.cores[Self.desk].me].card)
        let new = try house.recover(Self.desk)
        house.connect(new, Self.bob)
        house.run()
        #expect(!house.cores[new].isNewDevice)
        #expect(house.cores[new].card.name == "Alicia")
        #expect(house.cores[new].card.version == before.version + 1)
        #expect(devices(at: Self.bob) == [id(Self.desk), id(new)])
        #expect(house.cores[Self.bob].contacts[house.cores[Self.desk].me].card == house.cores[new].card)
        _ = try house.cores[new].send(["I am back"], to: group, at: house.moment)
        house.run(for: .seconds(1))
        _ = try house.cores[Self.bob].send(["welcome"], to: group, at: house.moment)
        house.run()
        #expect(try house.texts(of: group, at: Self.bob) == ["one", "two", "three", "I am back", "welcome"])
        #expect(try house.texts(of: group, at: new) == ["I am back", "welcome"])

        // What was lost turns up: everything is there on both.
        house.connect(Self.desk, new)
        house.connect(Self.desk, Self.bob)
        house.run()
        for core in [Self.desk, new] {
            #expect(
                try Set(house.texts(of: group, at: core)) == ["one", "two", "three", "I am back", "welcome"])
            #expect(house.cores[core].card == house.cores[new].card)
        }
    }

    @Test mutating func `becomes a device by meeting another one of the user's that has no root`() throws {
        let laptop = try house.link(to: Self.desk)
        house.connect(laptop, Self.desk)
        house.run()
        house.disconnect(Self.desk)
        let new = try house.recover(Self.desk)
        house.connect(new, laptop)
        house.run()
        #expect(!house.cores[new].isNewDevice)
        // The laptop did not let a device in that its record did not name.
        #expect(house.cores[laptop].connectedDevices.isEmpty)
        house.disconnect(new)
        house.connect(new, laptop)
        house.run()
        #expect(devices(at: laptop) == [id(Self.desk), id(laptop), id(new)])
        #expect(house.cores[new].card.name == "Alicia")
        #expect(house.cores[laptop].card == house.cores[new].card)
        #expect(try house.texts(of: group, at: new) == ["one", "two", "three"])
    }

    @Test mutating func `becomes a device at once where its user says so`() throws {
        house.disconnect(Self.desk)
        let new = try house.recover(Self.desk, called: "Alice")
        try house.cores[new].continueAsOnlyCopy(at: house.moment)
        #expect(!house.cores[new].isNewDevice)
        #expect(house.cores[new].context.countingIdentity.serial >= UInt64(house.moment.wall.milliseconds))
        #expect(house.cores[new].takeEffects().contains { if case .deviceCertified = $0 { true } else { false } })
        house.connect(new, Self.bob)
        house.run()
        #expect(devices(at: Self.bob).contains(id(new)))
        #expect(house.cores[new].card.name == "Alicia")
        #expect(house.cores[Self.bob].contacts[house.cores[new].me].card == house.cores[new].card)
    }

    @Test mutating func `goes on behind a record that is far ahead of its clock`() throws {
        let me = house.cores[Self.desk].me
        let root = try #require(house.cores[Self.desk].keys.root)
        let known = try #require(house.cores[Self.bob].contacts[me].card)
        let far = IdentityRecord(root: root, serial: 4_000_000_000_000, devices: known.identity.devices)
        let card = try #require(
            ProfileCard(root: root, version: known.version + 7, name: "Alicia", photo: [], identity: far))
        _ = house.cores[Self.bob].learn(card)
        house.disconnect(Self.desk)
        let new = try house.recover(Self.desk)
        house.connect(new, Self.bob)
        house.run()
        #expect(house.cores[new].context.countingIdentity.serial == 4_000_000_000_001)
        #expect(devices(at: Self.bob) == [id(Self.desk), id(new)])
    }

    @Test mutating func `is none where the user has eight already`() throws {
        for _ in 0..<7 { _ = try house.link(to: Self.desk) }
        house.run(for: .seconds(1))
        house.disconnect(Self.desk)
        let new = try house.recover(Self.desk)
        house.connect(new, Self.bob)
        house.run()
        #expect(house.cores[new].isNewDevice)
        #expect(devices(at: Self.bob).count == 8)
        #expect(throws: NodeError.self) { try house.cores[new].continueAsOnlyCopy(at: house.moment) }
    }

    @Test mutating func `learns that its user ended their identity`() throws {
        try house.cores[Self.desk].deleteIdentity(at: house.moment)
        house.run()
        house.disconnect(Self.desk)
        let new = try house.recover(Self.desk)
        house.connect(new, Self.bob)
        house.run()
        #expect(house.cores[new].isDeleted)
        #expect(throws: NodeError.identityDeleted) { try house.cores[new].setProfile(name: "A", at: house.moment) }
    }

    // MARK: - Restored from a backup

    @Test mutating func `takes the place of the device whose home was restored, and reads what was sealed to that`()
        throws
    {
        house.disconnect(Self.desk)
        let new = try house.recover(Self.desk, from: backup)
        #expect(try house.texts(of: group, at: new) == ["one"], "it reads at once")
        #expect(throws: NodeError.notCertified) { try house.cores[new].send(["early"], to: group, at: house.moment) }
        house.connect(new, Self.bob)
        house.run()
        #expect(devices(at: Self.bob) == [id(new)])
        let tombstones = house.cores[Self.bob].contacts[house.cores[new].me].tombstones
        #expect(tombstones[id(Self.desk)]?.kind == .retired)
        #expect(house.cores[new].certifiedDevices.map(\.name) == ["desk"])
        #expect(try Set(house.texts(of: group, at: new)) == ["one", "two", "three"])
        _ = try house.cores[new].send(["I am back"], to: group, at: house.moment)
        house.run()
        #expect(try house.texts(of: group, at: Self.bob) == ["one", "two", "three", "I am back"])
        let log = try #require(house.cores[Self.bob].replicas[group]?.log)
        #expect(!log.contentFrontier.hasForks)
        #expect(!log.membershipFrontier.hasForks)
    }

    @Test mutating func `is no copy of the home that was copied when it was backed up`() throws {
        let operation = try #require(house.cores[Self.desk].replicas[group]?.log.membership.operations.first)
        try house.disks[Self.desk].save(copyEvidence: operation.id)
        let new = try house.recover(Self.desk, from: house.disks[Self.desk].image)
        house.disconnect(Self.desk)
        house.connect(new, Self.bob)
        house.run()
        #expect(!house.cores[new].isCopied)
        _ = try house.cores[new].send(["I am back"], to: group, at: house.moment)
    }

    @Test mutating func `waits although the backup knows which devices there were`() throws {
        house.disconnect(Self.desk)
        let new = try house.recover(Self.desk, from: backup)
        house.connect(new, try house.recover(Household.carol))
        house.run()
        try house.restart(new, isNewDevice: true)
        house.run()
        #expect(house.cores[new].isNewDevice)
        #expect(house.cores[new].formerDevice == id(Self.desk))
        // No other's key is shown as this device's, however often it starts.
        let wraps = try #require(house.cores[Self.bob].contacts[house.cores[new].me].credentials?.wraps)
        #expect(!wraps.contains { $0.key == house.cores[new].keyManager.wrapKeys.record.key })
    }

    @Test mutating func `is one at the next start where the node ended before that was noted`() throws {
        house.disconnect(Self.desk)
        let new = try house.recover(Self.desk, from: backup)
        house.connect(new, Self.bob)
        house.run()
        try house.restart(new, isNewDevice: true)
        #expect(!house.cores[new].isNewDevice)
        #expect(house.cores[new].takeEffects().contains { if case .deviceCertified = $0 { true } else { false } })
        #expect(devices(at: new) == [id(new)])
    }

    @Test mutating func `takes the place of the restored device although that has another key since`() throws {
        house.disconnect(Self.desk)
        let new = try house.recover(Self.desk, from: backup)
        let old = house.cores[Self.desk]
        let wrap = WrapRecord(by: old.keys.author, counter: 7, key: AgreementKey.generate(using: &random).publicKey)
        _ = house.cores[new].contacts.learn(
            Credentials(identity: old.context.countingIdentity, wraps: [wrap]))
        house.connect(new, Self.bob)
        house.run()
        #expect(devices(at: Self.bob) == [id(new)])
        let tombstones = house.cores[Self.bob].contacts[house.cores[new].me].tombstones
        #expect(tombstones[id(Self.desk)]?.kind == .retired)
    }
}
