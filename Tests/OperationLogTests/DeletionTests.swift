import Cryptography
import OperationLog
import OperationLogFixtures
import Testing

@Suite("Cards that end an identity")
struct DeletionTests {
    private let alice: Person
    private let deletion: ProfileCard

    init() {
        var random = SplitMix64(seed: 1)
        alice = Person(using: &random)
        deletion = ProfileCard(deletionBy: alice.root, identity: alice.credentials.identity)
    }

    /// What an author writes who keeps to no limit.
    private func bytes(version: UInt64, name: String, photo: [UInt8]) -> [UInt8] {
        var writer = CanonicalWriter()
        writer.write(number: version)
        writer.write(text: name)
        writer.write(data: photo)
        writer.write(data: alice.credentials.identity.encoded)
        var statement = Statement("moot/1/card")
        statement.append(writer.bytes)
        writer.write(raw: alice.root.sign(statement.bytes).bytes)
        return writer.bytes
    }

    /// A deletion under another list of devices, as another copy of a home would sign it.
    private func deletion(serial: UInt64) -> ProfileCard {
        let identity = IdentityRecord(
            root: alice.root, serial: serial,
            devices: [IdentityRecord.Entry(device: alice.author.device, name: "desk")])
        return ProfileCard(deletionBy: alice.root, identity: identity)
    }

    /// Which of some cards counts, in the order in which they come.
    private func counting(_ cards: [ProfileCard]) -> ProfileCard? {
        cards.reduce(nil) { held, card in held.map { card.supersedes($0) ? card : $0 } ?? card }
    }

    // MARK: - Encoding

    @Test
    func `a deletion is a card of the highest version, without a name and a photo`() throws {
        #expect(deletion.isDeletion && deletion.user == alice.user)
        #expect(deletion.encoded == bytes(version: .max, name: "", photo: []))
        #expect(Array(deletion.encoded.prefix(12)) == Array(repeating: 0xFF, count: 9) + [0x01, 0, 0])
        #expect(try ProfileCard(verifying: deletion.encoded) == deletion)
    }

    @Test
    func `a card of any lower version is none, and keeps its bytes`() throws {
        for version in [0, 1, UInt64.max - 1] {
            let card = try #require(alice.card(version: version))
            #expect(!card.isDeletion)
            #expect(card.encoded == bytes(version: version, name: card.name, photo: []))
        }
        #expect(alice.card(version: .max) == nil, "nobody ends their identity by changing their name")
    }

    @Test
    func `whatever else a deletion says is not read, within the limits of every card`() throws {
        let card = try ProfileCard(verifying: bytes(version: .max, name: "Alice", photo: [1, 2, 3]))
        #expect(card.isDeletion && card.name.isEmpty && card.photo.isEmpty)
        #expect(card.encoded == bytes(version: .max, name: "Alice", photo: [1, 2, 3]), "it is passed on as it came")
        let long = String(repeating: "a", count: DisplayName.maximumBytes + 1)
        #expect(throws: MalformedBytes.tooLong(field: "name", limit: DisplayName.maximumBytes)) {
            try ProfileCard(verifying: bytes(version: .max, name: long, photo: []))
        }
        let photo = [UInt8](repeating: 1, count: ProfileCard.maximumPhotoBytes + 1)
        #expect(throws: MalformedBytes.tooLong(field: "photo", limit: ProfileCard.maximumPhotoBytes)) {
            try ProfileCard(verifying: bytes(version: .max, name: "", photo: photo))
        }
    }

    @Test
    func `nobody else ends an identity`() {
        for length in deletion.encoded.indices {
            #expect(throws: MalformedBytes.self) { try ProfileCard(verifying: Array(deletion.encoded[..<length])) }
        }
        var raised = alice.card(version: .max - 1)?.encoded ?? []
        raised[0] |= 1
        #expect(throws: MalformedBytes.signature(field: "profile card")) { try ProfileCard(verifying: raised) }
    }

    // MARK: - Merging

    @Test
    func `a deletion supersedes every other card, and none supersedes it`() throws {
        for version in [0, 1, 2, UInt64.max - 1] {
            let card = try #require(alice.card(version: version, name: "Alice", photo: [1]))
            #expect(deletion.supersedes(card))
            #expect(!card.supersedes(deletion))
        }
        #expect(!deletion.supersedes(deletion))
    }

    @Test(arguments: 1...100 as ClosedRange<UInt64>)
    func `the same deletion counts in whatever order cards come, and however often`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let deletions = (1...UInt64.random(in: 1...3, using: &random)).map { deletion(serial: $0) }
        var cards = deletions
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            let version = UInt64.random(in: 0..<UInt64.max, using: &random)
            cards.append(try #require(alice.card(version: version, name: "Alice \(version % 7)")))
        }
        let expected = try #require(deletions.min { $0.digest < $1.digest })
        for _ in 0..<10 {
            #expect(counting((cards + cards).shuffled(using: &random)) == expected)
        }
    }
}
