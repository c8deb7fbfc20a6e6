import Blobs
import Cryptography
import OperationLog
import Testing

@Suite("References to blobs")
struct BlobReferenceTests {
    private func reference(length: Int = 70_000, _ type: MediaType = .unknown) throws -> BlobReference {
        let address = try #require(BlobAddress(top: .hash("top"), length: length))
        return BlobReference(address: address, key: BlobKey(bytes: .hash("key")), mediaType: type)
    }

    @Test(arguments: [0, 1, 127, 128, BlobAddress.maximumLength])
    func `have one encoding`(length: Int) throws {
        let photo = try #require(MediaType("image/svg+xml"))
        let reference = try reference(length: length, photo)
        #expect(try BlobReference(decoding: reference.encoded) == reference)
        #expect(reference.encoded.count <= BlobReference.maximumBytes)
        for end in reference.encoded.indices {
            #expect(throws: MalformedBytes.self) { try BlobReference(decoding: Array(reference.encoded[..<end])) }
        }
        #expect(throws: MalformedBytes.trailing(count: 1)) { try BlobReference(decoding: reference.encoded + [0]) }
    }

    @Test func `name no blob beyond the limit`() throws {
        #expect(BlobAddress(top: .hash("top"), length: BlobAddress.maximumLength + 1) == nil)
        #expect(BlobAddress(top: .hash("top"), length: -1) == nil)
        var writer = CanonicalWriter()
        writer.write(digest: .hash("top"))
        writer.write(count: BlobAddress.maximumLength + 1)
        writer.write(raw: Array(try reference().encoded.suffix(57)))
        #expect(throws: MalformedBytes.tooLong(field: "blob", limit: BlobAddress.maximumLength)) {
            try BlobReference(decoding: writer.bytes)
        }
    }

    @Test(arguments: [
        "", "/", "image", "image/", "/png", "Image/png", "image/png/", "image/p ng", "image/png;q=1", "é/a",
    ])
    func `name no type that is none`(text: String) {
        #expect(MediaType(text) == nil)
    }

    @Test func `name types up to their limit`() {
        #expect(MediaType("a/" + String(repeating: "b", count: MediaType.maximumBytes - 2)) != nil)
        #expect(MediaType("a/" + String(repeating: "b", count: MediaType.maximumBytes - 1)) == nil)
    }

    @Test func `show nothing of their key`() throws {
        let reference = try reference()
        #expect(!"\(reference)".contains(reference.key.bytes.hexadecimal))
    }
}
