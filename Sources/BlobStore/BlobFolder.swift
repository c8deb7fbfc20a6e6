import Blobs
import Cryptography
import Dispatch
import Foundation
import Storage
import Synchronization

/// Files on disk, sealed: in a folder of the home one file for each blob, named by its root.
///
/// Every record can be verified by itself: a record that a crash truncated counts as missing, and no journal can
/// contradict it.
package final class BlobFolder: BlobStorage, Sendable {
    /// Bytes in front of a sealed chunk, for its place and its proof.
    static let headByteCount = 384
    /// Bytes of a record.
    static let recordByteCount = headByteCount + BlobAddress.chunkByteCount + CounterNonceCipher.overhead

    private let folder: String
    /// Bytes of each blob, whole or not.
    private let ledger: Mutex<Ledger>
    /// The blobs of which every chunk was kept, and that are not synced yet.
    private let finishing = Mutex<Set<Digest>>([])
    /// Syncs what is whole, which may take a while.
    private let syncing = DispatchQueue(label: "moot.blobs", qos: .utility)

    /// What is taken, and by what.
    private struct Ledger {
        /// Bytes that all of them may take.
        var quota: Int
        private(set) var sizes: [Digest: Int] = [:]
        private(set) var total = 0

        mutating func note(_ size: Int?, of root: Digest) {
            total += (size ?? 0) - (sizes[root] ?? 0)
            sizes[root] = size
        }
    }

    /// Opens a folder, making it where it is not there, and removes what was being uploaded when the node stopped.
    package init(at folder: String, quota: Int) throws(StoreError) {
        self.folder = folder
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw Self.failure(folder) }
        guard chmod(folder, 0o700) == 0 else { throw Self.failure(folder) }
        var found = Ledger(quota: quota)
        for name in try Self.names(in: folder) {
            let path = folder + "/" + name
            guard let root = Digest(hexadecimal: name.prefix(2 * Digest.byteCount)) else {
                unlink(path)
                continue
            }
            var status = stat()
            if stat(path, &status) == 0, status.st_size > 0 {
                // Where chunks are lacking there are holes.
                let room = name.hasSuffix(".part") ? Int(status.st_blocks) * 512 : .max
                found.note(min(Int(status.st_size), room), of: root)
            }
        }
        ledger = Mutex(found)
    }

    package var quota: Int { ledger.withLock { $0.quota } }

    /// Says how many bytes files may take. What takes more stays.
    package func limit(to quota: Int) { ledger.withLock { $0.quota = quota } }

    /// Bytes that files take, also those that are on their way and have their room already.
    package var usedByteCount: Int { ledger.withLock { $0.total } }

    private static func names(in folder: String) throws(StoreError) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            throw .ioError(error.localizedDescription)
        }
    }

    static func failure(_ path: String) -> StoreError {
        switch errno {
        case ENOSPC, EDQUOT: .diskFull
        case EACCES, EPERM, EROFS: .permissionDenied(path: path)
        default: .ioError(String(cString: strerror(errno)))
        }
    }

    private func path(_ root: Digest) -> String { "\(folder)/\(root.hexadecimal)" }

    private func partPath(_ root: Digest) -> String { path(root) + ".part" }

    private func markPath(_ root: Digest) -> String { path(root) + ".cancelled" }

    /// The file of a blob, whole or not; nil if there is none.
    private func descriptor(_ root: Digest) throws(StoreError) -> FileDescriptor? {
        // Between the first look and the second it may get its name.
        for path in [path(root), partPath(root), path(root)] {
            if let file = FileDescriptor(path, O_RDONLY) { return file }
            guard errno == ENOENT else { throw Self.failure(path) }
        }
        return nil
    }

    // MARK: - BlobStorage

    package func roots() -> Set<Digest> { ledger.withLock { Set($0.sizes.keys) } }

    package func chunks(of address: BlobAddress) throws(StoreError) -> ChunkSet {
        var status = stat()
        let size = Self.size(of: address)
        if stat(path(address.root), &status) == 0, status.st_size == size { return .whole(address) }
        var held = ChunkSet(of: address)
        guard let file = try descriptor(address.root) else { return held }
        for index in 0..<address.chunkCount where Self.read(index, of: address, from: file) != nil {
            held.insert(index)
        }
        return held
    }

    package func chunk(_ index: Int, of address: BlobAddress) throws(StoreError) -> BlobChunk? {
        guard let file = try descriptor(address.root) else { return nil }
        return Self.read(index, of: address, from: file)
    }

    package func reserve(_ address: BlobAddress) throws(StoreError) {
        try book(.max, of: address) { lacking throws(StoreError) in
            var space = statvfs()
            guard statvfs(folder, &space) == 0 else { throw Self.failure(folder) }
            guard UInt64(space.f_bavail) * UInt64(space.f_frsize) >= UInt64(lacking) else { throw .diskFull }
        }
    }

    /// Counts more bytes of a blob, at most all of it, if that fits and nothing else is in the way.
    ///
    /// - Parameter check: told how many bytes are lacking; not asked where none are.
    /// - Throws: `quotaReached`, and what `check` throws.
    private func book(
        _ byteCount: Int, of address: BlobAddress, check: (Int) throws(StoreError) -> Void = { _ in }
    ) throws(StoreError) {
        let size = Self.size(of: address)
        try ledger.withLock { ledger throws(StoreError) in
            let counted = ledger.sizes[address.root] ?? 0
            let lacking = min(byteCount, size - counted)
            guard lacking > 0 else { return }
            guard ledger.total + lacking <= ledger.quota else { throw .quotaReached(ledger.quota) }
            try check(lacking)
            ledger.note(counted + lacking, of: address.root)
        }
    }

    package func release(_ address: BlobAddress, holding count: Int) {
        let size = min(count * Self.recordByteCount, Self.size(of: address))
        ledger.withLock { $0.note(size > 0 ? size : nil, of: address.root) }
    }

    package func save(_ chunk: BlobChunk) throws(StoreError) {
        try book(Self.recordByteCount, of: chunk.address)
        let path = partPath(chunk.address.root)
        guard let file = FileDescriptor(path, O_WRONLY | O_CREAT) else { throw Self.failure(path) }
        try file.write(chunk.encoded, at: Self.offset(ofChunk: chunk.index, of: chunk.address), path: path)
    }

    package func finish(_ address: BlobAddress) {
        let root = address.root
        _ = finishing.withLock { $0.insert(root) }
        syncing.async { [self] in
            guard let file = FileDescriptor(partPath(root), O_RDONLY), fsync(file.number) == 0 else { return }
            let isNamed = finishing.withLock { waiting in
                // Meanwhile it may have been doubted, or removed.
                waiting.remove(root) != nil && rename(partPath(root), path(root)) == 0
            }
            if isNamed { syncFolder() }
        }
    }

    /// Waits until all that was finished has been synced.
    package func settled() async {
        await withCheckedContinuation { done in syncing.async { done.resume() } }
    }

    package func markIncomplete(_ address: BlobAddress) throws(StoreError) {
        let path = path(address.root)
        try finishing.withLock { waiting throws(StoreError) in
            waiting.remove(address.root)
            guard rename(path, partPath(address.root)) == 0 || errno == ENOENT else { throw Self.failure(path) }
        }
    }

    package func remove(_ root: Digest) throws(StoreError) {
        try finishing.withLock { waiting throws(StoreError) in
            waiting.remove(root)
            for path in [path(root), partPath(root), markPath(root)] where unlink(path) != 0 && errno != ENOENT {
                throw Self.failure(path)
            }
        }
        ledger.withLock { $0.note(nil, of: root) }
    }

    /// Makes names durable.
    @discardableResult
    private func syncFolder() -> Bool {
        guard let file = FileDescriptor(folder, O_RDONLY | O_DIRECTORY) else { return false }
        return fsync(file.number) == 0
    }

    package func canceled() throws(StoreError) -> Set<Digest> {
        Set(
            try Self.names(in: folder).filter { $0.hasSuffix(".cancelled") }.compactMap {
                Digest(hexadecimal: $0.prefix(2 * Digest.byteCount))
            })
    }

    package func setCanceled(_ isCanceled: Bool, _ root: Digest) throws(StoreError) {
        let path = markPath(root)
        if isCanceled {
            guard FileDescriptor(path, O_WRONLY | O_CREAT) != nil else { throw Self.failure(path) }
        } else if unlink(path) != 0, errno != ENOENT {
            throw Self.failure(path)
        }
    }

    // MARK: - Putting in

    /// Begins to put a file in.
    package func receive(using random: inout some RandomNumberGenerator) throws(StoreError) -> BlobUpload {
        try BlobUpload(into: self, at: "\(folder)/new-\(random.next())", key: .generate(using: &random))
    }

    /// Gives an upload its name, durably.
    ///
    /// - Throws: `quotaReached`, `ioError`.
    func adopt(_ path: String, as address: BlobAddress) throws(StoreError) {
        let before = ledger.withLock { $0.sizes[address.root] }
        try book(.max, of: address)
        guard rename(path, self.path(address.root)) == 0, syncFolder() else {
            let error = Self.failure(path)
            ledger.withLock { $0.note(before, of: address.root) }
            throw error
        }
    }

    // MARK: - Records

    /// Bytes of the file of a blob.
    static func size(of address: BlobAddress) -> Int {
        let last = address.chunkCount - 1
        return last * recordByteCount + headByteCount + address.length(ofChunk: last) + CounterNonceCipher.overhead
    }

    /// Where the encoding of a chunk is: at the end of the room for its head, so that it is in one piece.
    static func offset(ofChunk index: Int, of address: BlobAddress) -> Int {
        index * recordByteCount + headByteCount - BlobChunk.headCount(at: index, of: address)
    }

    static func read(_ index: Int, of address: BlobAddress, from file: borrowing FileDescriptor) -> BlobChunk? {
        let count =
            BlobChunk.headCount(at: index, of: address) + address.length(ofChunk: index) + CounterNonceCipher.overhead
        guard let encoded = file.read(count, at: offset(ofChunk: index, of: address)),
            let chunk = try? BlobChunk(verifying: encoded, of: address)
        else { return nil }
        return chunk.index == index ? chunk : nil
    }
}
