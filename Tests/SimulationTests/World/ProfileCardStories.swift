import Blobs
import Conversations
import Cryptography
import OperationLog
import OperationLogFixtures
import Storage
import Testing
import Time

@testable import NodeCore
@testable import Simulation

/// What Alice shows of themselves, and what others show them.
@Suite("Profile cards between nodes")
struct ProfileCardStories {
    private let disk = VirtualDisk(replicaEpoch: Array(repeating: 1, count: 16))
    private let keys: NodeCore.Keys
    private let bob: Person
    private let moment = StrangerGroupFixture.moment

    init() throws {
        var random = SeededRandom(seed: 1)
        keys = Person(using: &random).nodeKeys(using: &random)
        bob = Person(using: &random)
    }

    private func start() throws(StoreError) -> NodeCore {
        try NodeCore(
            keys: keys, storage: disk, blobs: disk, names: ["Alice"], deviceName: "desk", staticPeers: [],
            random: SeededRandom(seed: 2), at: moment)
    }

    private func photo(_ name: String) throws -> PhotoReference {
        let reference = { (part: String, length: Int) throws in
            let digest = Digest.hash("test", Array("\(part) of the \(name)".utf8))
            return BlobReference(
                address: try #require(BlobAddress(top: digest, length: length)), key: BlobKey(bytes: digest),
                mediaType: .photo)
        }
        return try #require(
            PhotoReference(picture: reference("picture", 300_000), thumbnail: reference("thumbnail", 9_000)))
    }

    /// Whom Alice's node told news of.
    private func told(_ core: inout NodeCore) -> [UserID] {
        core.takeEffects().compactMap { effect in
            if case .show(.person(let user)) = effect { user } else { nil }
        }
    }

    // MARK: - Their own

    @Test
    func `a photo is a new version, told to everybody, and survives the loss of power`() throws {
        var core = try start()
        _ = core.takeEffects()
        let version = core.card.version
        try core.setProfile(photo: .set(photo("boat")), at: moment)
        #expect(core.card.version == version + 1)
        #expect(core.card.name == "Alice")
        #expect(told(&core) == [core.me])
        #expect(core.contacts[core.me].photo == (try photo("boat")))
        disk.losePower()
        let again = try start()
        #expect(again.card == core.card)
        #expect(again.cardPhotos.map(\.user) == [again.me])
        #expect(again.cardPhotos.map(\.photo) == [try photo("boat")])
        #expect(try Introduction(verifying: again.introduction).card.photoReference == photo("boat"))
    }

    @Test
    func `a new name keeps the photo, and both change in one version`() throws {
        var core = try start()
        try core.setProfile(photo: .set(photo("boat")), at: moment)
        try core.setProfile(name: "Alicia", at: moment)
        #expect(core.card.photoReference == (try photo("boat")))
        let version = core.card.version
        try core.setProfile(name: "Alice", photo: .set(photo("harbour")), at: moment)
        #expect(core.card.version == version + 1)
        #expect(core.card.name == "Alice")
        #expect(core.card.photoReference == (try photo("harbour")))
    }

    @Test
    func `a photo that is taken away is gone, and what changes nothing is no version`() throws {
        var core = try start()
        let version = core.card.version
        try core.setProfile(photo: .remove, at: moment)
        #expect(core.card.version == version)
        try core.setProfile(photo: .set(photo("boat")), at: moment)
        try core.setProfile(photo: .set(photo("boat")), at: moment)
        #expect(core.card.version == version + 1)
        try core.setProfile(photo: .remove, at: moment)
        #expect(core.card.version == version + 2)
        #expect(core.card.photo.isEmpty)
        #expect(core.cardPhotos.isEmpty)
        #expect(try start().cardPhotos.isEmpty)
    }

    @Test
    func `neither a name that is none nor a disk that refuses changes the photo`() throws {
        var core = try start()
        let before = core.card
        let error = #expect(throws: NodeError.self) {
            try core.setProfile(name: " ", photo: .set(photo("boat")), at: moment)
        }
        #expect(error?.code == .nameInvalid)
        disk.condition = .full
        let full = #expect(throws: NodeError.self) { try core.setProfile(photo: .set(photo("boat")), at: moment) }
        #expect(full?.code == .diskFull)
        #expect(core.card == before)
        #expect(core.cardPhotos.isEmpty)
    }

    // MARK: - Those of others

    @Test
    func `the photo of a peer's newest card is theirs, whatever they show later on`() throws {
        var fixture = try StrangerGroupFixture()
        let bob = fixture.bob
        let handle = fixture.connect(to: bob)
        func show(_ version: UInt64, _ photo: [UInt8]) throws {
            let card = try #require(bob.card(version: version, name: "Bob", photo: photo))
            fixture.alice.introduce(handle, Introduction(card: card, wraps: []).encoded, port: 0)
        }
        try show(2, photo("boat").encoded)
        #expect(fixture.alice.cardPhotos.map(\.user) == [bob.user])
        #expect(told(&fixture.alice).contains(bob.user))
        try show(1, photo("harbour").encoded)
        #expect(fixture.alice.cardPhotos.map(\.photo) == [try photo("boat")], "an older card changes nothing")
        try show(3, [1, 2, 3])
        #expect(fixture.alice.cardPhotos.isEmpty, "bytes that name no photo are no photo")
        #expect(fixture.alice.contacts[bob.user].card?.version == 3)
        try show(4, photo("harbour").encoded)
        #expect(fixture.alice.cardPhotos.map(\.photo) == [try photo("harbour")])
        try show(5, [])
        #expect(fixture.alice.cardPhotos.isEmpty)
    }

    @Test
    func `what others show is known after a restart`() throws {
        var before = try start()
        let card = try #require(bob.card(name: "Bob", photo: photo("boat").encoded))
        #expect(try disk.save(card, seenAt: moment.wall))
        try before.setVerified(true, of: bob.user, at: moment)
        disk.losePower()
        let core = try start()
        #expect(core.cardPhotos.map(\.user) == [bob.user])
        #expect(core.cardPhotos.map(\.photo) == [try photo("boat")])
    }
}
