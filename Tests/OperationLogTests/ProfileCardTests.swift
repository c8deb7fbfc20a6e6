import Cryptography
import OperationLog
import OperationLogFixtures
import Testing

@Suite("Profile cards")
struct ProfileCardTests {
    private let alice: Person

    init() {
        var random = SplitMix64(seed: 1)
        alice = Person(using: &random)
    }

    /// What an author writes who keeps to no limit.
    private func bytes(name: String = "Alice", photo: (inout CanonicalWriter) -> Void) -> [UInt8] {
        var writer = CanonicalWriter()
        writer.write(number: 1)
        writer.write(text: name)
        photo(&writer)
        writer.write(data: alice.credentials.identity.encoded)
        var statement = Statement("moot/1/card")
        statement.append(writer.bytes)
        writer.write(raw: alice.root.sign(statement.bytes).bytes)
        return writer.bytes
    }

    @Test(arguments: [0, 1, 200, ProfileCard.maximumPhotoBytes])
    func `a card reads back as it was signed, with its photo or without`(count: Int) throws {
        let photo = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let card = try #require(alice.card(photo: photo))
        let read = try ProfileCard(verifying: card.encoded)
        #expect(read == card)
        #expect(read.photo == photo)
        #expect(read.encoded == bytes { $0.write(data: photo) }, "the photo stands behind the name")
    }

    @Test
    func `the longest card is within the limit`() throws {
        let devices = (0..<IdentityRecord.maximumDevices).map { place in
            var random = SplitMix64(seed: 100 + UInt64(place))
            let author = Author(user: alice.user, key: SigningKey.generate(using: &random))
            return IdentityRecord.Entry(device: author.device, name: String(repeating: "d", count: 200))
        }
        let record = IdentityRecord(root: alice.root, serial: IdentityRecord.maximumSerial, devices: devices)
        // A letter of two bytes with 19 marks of two bytes each is one character.
        let name = String(
            repeating: "\u{E9}" + String(repeating: "\u{301}", count: 19), count: DisplayName.maximumLength)
        #expect(name.utf8.count == DisplayName.maximumBytes)
        let card = try #require(
            ProfileCard(
                root: alice.root, version: .max - 1, name: name,
                photo: Array(repeating: 1, count: ProfileCard.maximumPhotoBytes), identity: record))
        #expect(card.encoded.count <= ProfileCard.maximumBytes)
        #expect(try ProfileCard(verifying: card.encoded) == card)
    }

    @Test
    func `nobody signs a name that breaks the rule, and whoever gets one reads the card`() throws {
        for name in ["", "Alice ", "\u{200B}", "Ali\nce", "\u{202E}Alice", String(repeating: "a", count: 51)] {
            let encoded = bytes(name: name) { $0.write(data: []) }
            #expect(try ProfileCard(verifying: encoded).name == name)
            let own = ProfileCard(
                root: alice.root, version: 1, name: name, photo: [], identity: alice.credentials.identity)
            #expect(own?.name == (name == "Alice " ? "Alice" : nil))
        }
        let long = String(repeating: "a", count: DisplayName.maximumBytes + 1)
        #expect(throws: MalformedBytes.tooLong(field: "name", limit: DisplayName.maximumBytes)) {
            try ProfileCard(verifying: bytes(name: long) { $0.write(data: []) })
        }
    }

    @Test
    func `nobody signs a photo above the limit, and nobody reads one`() throws {
        let photo = [UInt8](repeating: 1, count: ProfileCard.maximumPhotoBytes + 1)
        #expect(alice.card(photo: photo) == nil)
        #expect(throws: MalformedBytes.tooLong(field: "photo", limit: ProfileCard.maximumPhotoBytes)) {
            try ProfileCard(verifying: bytes { $0.write(data: photo) })
        }
    }

    @Test
    func `a photo that is announced and not there takes no room`() {
        #expect(throws: MalformedBytes.tooLong(field: "photo", limit: ProfileCard.maximumPhotoBytes)) {
            try ProfileCard(verifying: bytes { $0.write(number: .max) })
        }
        let cut = bytes { $0.write(data: Array(repeating: 1, count: 300)) }.prefix(200)
        #expect(throws: MalformedBytes.truncated) { try ProfileCard(verifying: Array(cut)) }
    }

    @Test
    func `no beginning of a card is a card, and nobody changes its photo`() throws {
        let encoded = try #require(alice.card(photo: Array(1...100))).encoded
        for length in encoded.indices {
            #expect(throws: MalformedBytes.self) { try ProfileCard(verifying: Array(encoded[..<length])) }
        }
        for place in 8..<108 {
            var changed = encoded
            changed[place] ^= 1
            #expect(throws: MalformedBytes.signature(field: "profile card")) { try ProfileCard(verifying: changed) }
        }
    }

    @Test
    func `a card without the photo replaces one with it when it is newer, and not before`() throws {
        let with = try #require(alice.card(version: 2, photo: [1]))
        let without = try #require(alice.card(version: 3))
        #expect(without.supersedes(with))
        #expect(!with.supersedes(without))
        let other = try #require(alice.card(version: 2, photo: [2]))
        #expect(with.supersedes(other) != other.supersedes(with), "of one version, one of the two counts everywhere")
    }
}
