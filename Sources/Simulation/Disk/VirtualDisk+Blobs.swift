import Blobs
import Conversations
import Cryptography
import Storage

extension VirtualDisk: BlobStorage {
    func roots() throws(StoreError) -> Set<Digest> {
        try checkReadable()
        return Set(image.chunks.keys)
    }

    func chunks(of address: BlobAddress) throws(StoreError) -> ChunkSet {
        try checkReadable()
        var held = ChunkSet(of: address)
        for (index, chunk) in image.chunks[address.root] ?? [:] where chunk.address == address { held.insert(index) }
        return held
    }

    func chunk(_ index: Int, of address: BlobAddress) throws(StoreError) -> BlobChunk? {
        try checkReadable()
        return image.chunks[address.root]?[index]
    }

    func reserve(_ address: BlobAddress) throws(StoreError) {
        try checkWritable()
        let others = image.chunks.filter { $0.key != address.root }.map { $0.value.count * BlobAddress.chunkByteCount }
        guard others.reduce(address.length, +) <= quota else { throw .quotaReached(quota) }
    }

    func release(_ address: BlobAddress, holding count: Int) {}

    func save(_ chunk: BlobChunk) throws(StoreError) {
        try transaction { $0.chunks[chunk.address.root, default: [:]][chunk.index] = chunk }
    }

    func finish(_ address: BlobAddress) throws(StoreError) {}

    func markIncomplete(_ address: BlobAddress) throws(StoreError) {}

    func remove(_ root: Digest) throws(StoreError) {
        try transaction { image in
            image.chunks[root] = nil
            image.canceledBlobs.remove(root)
        }
    }

    func canceled() throws(StoreError) -> Set<Digest> {
        try checkReadable()
        return image.canceledBlobs
    }

    func setCanceled(_ isCanceled: Bool, _ root: Digest) throws(StoreError) {
        try transaction { image in
            if isCanceled { image.canceledBlobs.insert(root) } else { image.canceledBlobs.remove(root) }
        }
    }
}
