import Cryptography
import CryptographyFixtures
import OperationLog
import Testing

@testable import Conversations

/// Compares with bytes that were made independently, from the descriptions of the formats.
@Suite("Known answers of devices taken out")
struct TombstoneVectorTests {
    private struct Vectors: Decodable {
        struct Reader: Decodable {
            let key: Hexadecimal
            let wrapKey: Hexadecimal
        }

        let root: Hexadecimal
        let conversation: String
        let readers: [Reader]
        let gone: [String]
        let tombstones: [Hexadecimal]
        let view: String
        let viewWithout: String
    }

    private let vectors: Vectors

    init() throws { vectors = try Fixture.load("tombstone-vectors.json") }

    private func tombstones() throws -> [Tombstone] {
        let root = try #require(SigningKey(seed: vectors.root.bytes))
        return try zip(vectors.gone, [Tombstone.Kind.retired, .revoked]).map { device, kind in
            Tombstone(root: root, device: try #require(DeviceID(hexadecimal: device)), kind: kind)
        }
    }

    @Test func `a tombstone is signed and read as the page says`() throws {
        let tombstones = try tombstones()
        #expect(tombstones.map(\.encoded) == vectors.tombstones.map(\.bytes))
        #expect(try vectors.tombstones.map { try Tombstone(verifying: $0.bytes) } == tombstones)
    }

    @Test func `a view is named with the devices that were taken out before, and as ever where none was`() throws {
        let root = try #require(SigningKey(seed: vectors.root.bytes))
        let user = UserID(root.verifyingKey)
        let readers = try vectors.readers.map { reader in
            let key = try #require(VerifyingKey(bytes: reader.key.bytes))
            return View.Reader(user: user, device: Device(user: user, key: key).id, wrapKey: reader.wrapKey.bytes)
        }
        let conversation = try #require(ConversationID(hexadecimal: vectors.conversation))
        let view = View(of: conversation, readers: View.ordered(readers), departed: [])
        #expect(view.id.description == vectors.view)
        let after = View(of: conversation, readers: View.ordered(readers), departed: try tombstones())
        #expect(after.id.description == vectors.viewWithout)
    }
}
