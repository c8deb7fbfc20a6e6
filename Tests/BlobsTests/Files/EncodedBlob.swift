import Blobs
import Cryptography
import OperationLogFixtures

/// A file made into a blob, with everything one can know of it.
struct EncodedBlob {
    let plain: [UInt8]
    let key: BlobKey
    let address: BlobAddress
    let tree: BlobTree
    let chunks: [BlobChunk]

    init(_ plain: [UInt8], key: BlobKey) {
        self.plain = plain
        self.key = key
        var encoder = BlobEncoder(key: key)
        var sealed: [[UInt8]] = []
        repeat {
            let start = sealed.count * BlobAddress.chunkByteCount
            sealed.append(
                encoder.seal(Array(plain[start..<min(start + BlobAddress.chunkByteCount, plain.count)])) ?? [])
        } while sealed.count * BlobAddress.chunkByteCount < plain.count
        let (address, tree) = encoder.finish()
        (self.address, self.tree) = (address, tree)
        chunks = sealed.enumerated().map { BlobChunk($0.element, at: $0.offset, of: address, in: tree) }
    }

    /// A file of that length with bytes that follow from the seed.
    init(length: Int, seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let key = BlobKey.generate(using: &random)
        self.init(random.bytes(length), key: key)
    }
}
