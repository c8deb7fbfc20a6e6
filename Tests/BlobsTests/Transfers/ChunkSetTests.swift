import Blobs
import Cryptography
import OperationLogFixtures
import Testing

@Suite("Sets of chunks")
struct ChunkSetTests {
    private func address(_ count: Int) throws -> BlobAddress {
        try #require(BlobAddress(top: .hash("top"), length: count * BlobAddress.chunkByteCount))
    }

    @Test(arguments: 1...60 as ClosedRange<UInt64>)
    func `have one encoding`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let address = try address(Int.random(in: 1...70, using: &random))
        var chunks = ChunkSet(of: address)
        let members = Set((0..<address.chunkCount).filter { _ in Bool.random(using: &random) })
        for index in members.shuffled(using: &random) { #expect(chunks.insert(index) == true) }
        for index in members { #expect(chunks.insert(index) == false) }
        #expect(chunks.count == members.count)
        #expect((-1...address.chunkCount).filter(chunks.contains) == members.sorted())
        #expect(ChunkSet(bytes: chunks.bytes, of: address) == chunks)
        #expect(chunks.bytes.count <= ChunkSet.maximumBytes)
        if let gone = members.randomElement(using: &random) {
            chunks.remove(gone)
            #expect(!chunks.contains(gone) && chunks.count == members.count - 1)
        }
    }

    @Test func `are of one blob`() throws {
        let ten = try address(10)
        #expect(ChunkSet(bytes: [0xFF, 0x03], of: ten)?.isWhole == true)
        #expect(ChunkSet(bytes: [0xFF, 0x07], of: ten) == nil)
        #expect(ChunkSet(bytes: [0xFF], of: ten) == nil)
        #expect(ChunkSet(bytes: [0xFF, 0x03, 0], of: ten) == nil)
        #expect(ChunkSet.whole(ten).bytes == [0xFF, 0x03])
        var none = ChunkSet(of: ten)
        #expect(none.insert(10) == false)
    }
}
