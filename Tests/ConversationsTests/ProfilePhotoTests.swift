import Blobs
import Conversations
import Cryptography
import OperationLog
import OperationLogFixtures
import Testing

@Suite("The photo on a profile card")
struct ProfilePhotoTests {
    private func card(_ photo: [UInt8]) throws -> ProfileCard {
        var random = SplitMix64(seed: 1)
        return try ProfileCard(verifying: #require(Person(using: &random).card(photo: photo)).encoded)
    }

    private func reference(_ name: String, _ type: MediaType = .photo, length: Int) throws -> BlobReference {
        let digest = Digest.hash("test", Array(name.utf8))
        return BlobReference(
            address: try #require(BlobAddress(top: digest, length: length)), key: BlobKey(bytes: digest),
            mediaType: type)
    }

    private func photo() throws -> PhotoReference {
        try #require(
            PhotoReference(
                picture: reference("picture", length: 300_000), thumbnail: reference("thumbnail", length: 9_000)))
    }

    @Test
    func `is the one its owner put there, or none`() throws {
        let photo = try photo()
        #expect(try card(photo.encoded).photoReference == photo)
        #expect(try card([]).photoReference == nil)
    }

    @Test
    func `has room for every photo there can be`() {
        #expect(ProfileCard.maximumPhotoBytes == PhotoReference.maximumBytes)
    }

    @Test
    func `is none where somebody put something else, and the card counts all the same`() throws {
        let good = try photo().encoded
        let picture = try reference("picture", length: 300_000)
        let values = [
            [0], Array(good.dropLast()), good + [0], picture.encoded, Array("no photo".utf8),
            picture.encoded + (try reference("page", #require(MediaType("text/html")), length: 1)).encoded,
            Array(repeating: 0, count: ProfileCard.maximumPhotoBytes),
            Array(repeating: 0xFF, count: ProfileCard.maximumPhotoBytes),
        ]
        for value in values {
            let card = try card(value)
            #expect(card.photoReference == nil, "\(value.prefix(20))")
            #expect(card.name == "Alice")
        }
    }

    @Test(arguments: 1...100 as ClosedRange<UInt64>)
    func `with a changed bit is another photo or none`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let good = try photo()
        var bytes = good.encoded
        bytes[Int.random(in: bytes.indices, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        let seen = try card(bytes).photoReference
        #expect(seen != good)
        #expect(seen == nil || seen?.encoded == bytes)
    }
}
