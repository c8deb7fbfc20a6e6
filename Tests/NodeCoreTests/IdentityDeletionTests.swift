import Conversations
import Membership
import OperationLog
import OperationLogFixtures
import Replication
import Storage
import Testing
import Time

@testable import NodeCore
@testable import Simulation

/// Bob ends their identity, in a group that Alice founded.
@Suite("Ending an identity")
struct IdentityDeletionTests {
    private static let (alice, bob, carol) = (0, 1, 2)
    private var trio: Trio
    private let group: ConversationID

    init() throws {
        var trio = try Trio()
        group = try trio.found()
        for core in trio.cores.indices { _ = trio.cores[core].takeEffects() }
        self.trio = trio
    }

    private mutating func end(_ person: Int, after duration: Duration = .seconds(1)) throws(NodeError) {
        try trio.cores[person].deleteIdentity(at: Trio.after(duration))
    }

    /// Bob's node started once more.
    private func restarted() throws(StoreError) -> NodeCore {
        try NodeCore(
            keys: trio.bob.keys, storage: trio.disks[Self.bob], blobs: trio.disks[Self.bob], names: ["Bob"],
            deviceName: "desk", staticPeers: [], random: SeededRandom(seed: 9), at: Trio.after(.seconds(60)))
    }

    private func isMember(_ person: Int, at node: Int) throws -> Bool {
        try #require(trio.cores[node].replicas[group]).group.isMember(trio.cores[person].me)
    }

    /// What Bob's disk holds of everything that is signed.
    private var written: [Int] {
        let image = trio.disks[Self.bob].image
        return Lane.allCases.map { image.operations(of: group, lane: $0).count }
    }

    // MARK: - Whoever ends it

    @Test mutating func `leaves every group first, and then signs the last card, which survives a restart`() throws {
        try end(Self.bob)
        #expect(trio.bob.isDeleted)
        #expect(try !isMember(Self.bob, at: Self.bob))
        #expect(try #require(trio.bob.replicas[group]).group.hasLeft(trio.bob.me))
        #expect(trio.bob.contacts[trio.bob.me].name == "Deleted User")
        let kept = trio.disks[Self.bob].image.profiles[trio.bob.me]?.card
        #expect(kept?.isDeletion == true && kept == trio.bob.card)
        trio.disks[Self.bob].losePower()
        let again = try restarted()
        #expect(again.isDeleted && again.card == kept)
        #expect(try Introduction(verifying: again.introduction).card == kept, "whoever connects is told")
    }

    @Test mutating func `the last admin leaves too, and the oldest member takes over`() throws {
        try end(Self.alice)
        #expect(try !isMember(Self.alice, at: Self.alice))
        trio.deliver(group, to: Self.bob)
        let left = try #require(trio.bob.replicas[group]).group
        #expect(left.actingAdmin == trio.bob.me || left.role(of: trio.bob.me) == .admin)
    }

    @Test mutating func `turns down an invite`() throws {
        try trio.cores[Self.alice].remove(trio.bob.me, from: group, at: Trio.moment)
        try trio.cores[Self.alice].invite(trio.bob.me, to: group, at: Trio.moment)
        trio.deliver(group, to: Self.bob)
        try end(Self.bob)
        #expect(try #require(trio.bob.replicas[group]).group.openInvites().isEmpty)
    }

    @Test mutating func `whoever asks twice changes nothing, and a disk that is full changes nothing at all`() throws {
        trio.disks[Self.bob].condition = .full
        #expect(throws: NodeError.self) { try end(Self.bob) }
        #expect(!trio.bob.isDeleted && trio.bob.card.name == "Bob")
        trio.disks[Self.bob].condition = .healthy
        try end(Self.bob)
        let (card, before) = (trio.bob.card, written)
        try end(Self.bob, after: .seconds(5))
        #expect(trio.bob.card == card && written == before)
    }

    @Test mutating func `every command that writes is refused, and says why`() throws {
        let direct = try trio.cores[Self.bob].openDirect(with: trio.alice.me, at: Trio.moment)
        _ = try trio.cores[Self.bob].send(["Ahoy"], to: direct, at: Trio.moment)
        let (me, alice, carol, group) = (trio.bob.me, trio.alice.me, trio.carol.me, self.group)
        try end(Self.bob)
        let commands: [(String, (inout NodeCore, Moment) throws -> Void)] = [
            ("send", { _ = try $0.send(["hello"], to: group, at: $1) }),
            ("send to one alone", { _ = try $0.send(["hello"], to: direct, at: $1) }),
            ("type", { try $0.type(in: direct, at: $1) }),
            ("name", { try $0.setProfile(name: "Robert", at: $1) }),
            ("photo", { try $0.setProfile(photo: .remove, at: $1) }),
            ("create", { _ = try $0.createGroup(name: nil, members: [alice, carol], at: $1) }),
            ("direct", { _ = try $0.openDirect(with: carol, at: $1) }),
            ("add", { try $0.add([me], to: group, at: $1) }),
            ("remove", { try $0.remove(carol, from: group, at: $1) }),
            ("role", { try $0.setRole(of: carol, in: group, to: .admin, at: $1) }),
            ("rename", { try $0.set(name: "Boat", description: nil, of: group, at: $1) }),
            ("leave", { try $0.leave(group, at: $1) }),
            ("invite", { try $0.invite(carol, to: group, at: $1) }),
            ("accept", { try $0.acceptInvite(to: group, at: $1) }),
            ("decline", { try $0.declineInvite(to: group, at: $1) }),
            ("code", { _ = try $0.makeCode(for: group, lasting: 60, at: $1) }),
        ]
        let before = written
        for (name, command) in commands {
            #expect(throws: NodeError.identityDeleted, "\(name)") {
                try command(&trio.cores[Self.bob], Trio.after(.seconds(2)))
            }
        }
        #expect(written == before)
        #expect(throws: NodeError.identityDeleted) {
            var again = try restarted()
            _ = try again.send(["hello"], to: direct, at: Trio.after(.seconds(70)))
        }
    }

    @Test mutating func `nothing is written by itself either, however much time passes`() throws {
        let direct = try trio.cores[Self.bob].openDirect(with: trio.alice.me, at: Trio.moment)
        _ = try trio.cores[Self.bob].send(["Ahoy"], to: direct, at: Trio.moment)
        try end(Self.bob)
        let (before, card) = (written, trio.bob.card)
        let spoken = trio.disks[Self.bob].image.operations(of: direct, lane: .membership).count
        var again = try restarted()
        try again.start(onPort: 1, discovers: false, at: Trio.after(.seconds(60)))
        for day in 1...100 { again.handle(.tick, at: Trio.after(.seconds(86_400 * day))) }
        #expect(written == before && again.card == card)
        #expect(trio.disks[Self.bob].image.operations(of: direct, lane: .membership).count == spoken)
    }

    // MARK: - Everybody else

    @Test mutating func `others call them Deleted User from then on, whatever comes later`() throws {
        try trio.cores[Self.bob].setProfile(name: "Robert", at: Trio.moment)
        let older = trio.bob.card
        try end(Self.bob)
        trio.cores[Self.alice].learn(trio.bob.card)
        #expect(trio.alice.contacts[trio.bob.me].name == "Deleted User")
        #expect(trio.alice.contacts[trio.bob.me].isDeleted && trio.alice.contacts[trio.bob.me].photo == nil)
        trio.cores[Self.alice].learn(older)
        #expect(trio.alice.contacts[trio.bob.me].isDeleted)
        // Several people who ended theirs do not pretend to be one another.
        try end(Self.carol)
        trio.cores[Self.alice].learn(trio.carol.card)
        #expect(trio.alice.contacts.namesakes.isEmpty)
        #expect(trio.alice.contacts.namesakes(of: trio.bob.me).isEmpty)
    }

    @Test mutating func `nobody who knows of it brings them into a conversation`() throws {
        try end(Self.bob)
        let (bob, carol, group) = (trio.bob.me, trio.carol.me, self.group)
        try trio.cores[Self.alice].remove(bob, from: group, at: Trio.moment)
        trio.cores[Self.alice].learn(trio.bob.card)
        let commands: [(String, (inout NodeCore, Moment) throws -> Void)] = [
            ("add", { try $0.add([bob], to: group, at: $1) }),
            ("invite", { try $0.invite(bob, to: group, at: $1) }),
            ("create", { _ = try $0.createGroup(name: nil, members: [bob, carol], at: $1) }),
            ("direct", { _ = try $0.openDirect(with: bob, at: $1) }),
            ("forget", { try $0.forget(bob, at: $1) }),
        ]
        for (name, command) in commands {
            let error = #expect(throws: NodeError.self, "\(name)") {
                try command(&trio.cores[Self.alice], Trio.after(.seconds(2)))
            }
            #expect(error?.code == .deletedPerson, "\(name)")
        }
        #expect(trio.alice.contacts[bob].isDeleted)
    }

    @Test mutating func `a home put back from a backup is told by whoever knows`() throws {
        let older = trio.bob.introduction
        try end(Self.bob)
        trio.cores[Self.alice].learn(trio.bob.card)
        let handle = trio.connect(Self.alice, to: Self.bob)
        trio.cores[Self.alice].introduce(handle, older, port: 0)
        let told = try trio.cores[Self.alice].takeEffects().compactMap { effect in
            guard case .send(handle, let bytes, _) = effect else { return nil as PeerMessage? }
            return try PeerMessage(decoding: bytes)
        }
        #expect(told.contains(.cards(.cards([trio.bob.card.encoded]))))
        #expect(trio.alice.contacts[trio.bob.me].isDeleted)
    }

    @Test mutating func `nobody writes to them alone any more`() throws {
        let direct = try trio.cores[Self.alice].openDirect(with: trio.bob.me, at: Trio.moment)
        _ = try trio.cores[Self.alice].send(["Ahoy"], to: direct, at: Trio.moment)
        try end(Self.bob)
        trio.cores[Self.alice].learn(trio.bob.card)
        #expect(try trio.cores[Self.alice].openDirect(with: trio.bob.me, at: Trio.moment) == direct, "it is read on")
        let error = #expect(throws: NodeError.self) {
            _ = try trio.cores[Self.alice].send(["Are you there?"], to: direct, at: Trio.after(.seconds(2)))
        }
        #expect(error?.code == .deletedPerson)
    }
}
