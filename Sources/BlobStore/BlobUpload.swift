import Blobs
import Cryptography
import Foundation
import Storage

/// A file that is being uploaded: sealed piece by piece, never in memory whole, and on no disk in the clear.
///
/// One task at a time has it. What is let go of before ``finish()`` is erased.
package struct BlobUpload: ~Copyable, Sendable {
    private let folder: BlobFolder
    private let path: String
    private let file: FileDescriptor
    private var encoder: BlobEncoder
    private var rest: [UInt8] = []
    private var count = 0
    private var isKept = false

    init(into folder: BlobFolder, at path: String, key: BlobKey) throws(StoreError) {
        self.folder = folder
        self.path = path
        encoder = BlobEncoder(key: key)
        guard let file = FileDescriptor(path, O_RDWR | O_CREAT | O_EXCL) else { throw BlobFolder.failure(path) }
        self.file = file
    }

    deinit {
        if !isKept { unlink(path) }
    }

    /// Takes the next bytes of the file, however many; false if it becomes too long.
    package mutating func append(_ bytes: some Sequence<UInt8>) throws(StoreError) -> Bool {
        rest += bytes
        while rest.count > BlobAddress.chunkByteCount {
            guard try seal(Array(rest[..<BlobAddress.chunkByteCount])) else { return false }
            rest.removeFirst(BlobAddress.chunkByteCount)
        }
        return true
    }

    private mutating func seal(_ piece: [UInt8]) throws(StoreError) -> Bool {
        guard let sealed = encoder.seal(piece) else { return false }
        try file.write(sealed, at: count * BlobFolder.recordByteCount + BlobFolder.headByteCount, path: path)
        count += 1
        return true
    }

    /// Ends the file, writes the proofs and makes it durable; nil if it is too long.
    ///
    /// - Complexity: O(*n*) hashes in the chunks, and as long as the disk takes.
    package consuming func finish(mediaType: MediaType) throws(StoreError) -> BlobReference? {
        guard try seal(rest) else { return nil }
        let (address, tree) = encoder.finish()
        for index in 0..<address.chunkCount {
            try file.write(
                BlobChunk.head(at: index, in: tree), at: BlobFolder.offset(ofChunk: index, of: address), path: path)
        }
        guard fsync(file.number) == 0 else { throw BlobFolder.failure(path) }
        try folder.adopt(path, as: address)
        isKept = true
        return BlobReference(address: address, key: encoder.key, mediaType: mediaType)
    }
}
