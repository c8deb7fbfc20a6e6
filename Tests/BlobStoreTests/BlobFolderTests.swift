import Blobs
import Conversations
import Cryptography
import Foundation
import Storage
import Testing

@testable import BlobStore

@Suite("Files on disk")
struct BlobFolderTests {
    private let scratch: Scratch
    private let path: String

    init() throws {
        scratch = try Scratch()
        path = scratch.file("blobs")
    }

    /// Bytes that repeat in no chunk.
    private func plain(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) } }

    private func put(_ bytes: [UInt8], into folder: BlobFolder) throws -> BlobReference {
        var random = SystemRandom()
        var upload = try folder.receive(using: &random)
        // In pieces that fit no chunk.
        for start in stride(from: 0, to: bytes.count, by: 50_001) {
            let isTaken = try upload.append(bytes[start..<min(start + 50_001, bytes.count)])
            #expect(isTaken)
        }
        let reference = try upload.finish(mediaType: .unknown)
        return try #require(reference)
    }

    private func opened(_ reference: BlobReference, in folder: BlobFolder) throws -> [UInt8] {
        try (0..<reference.address.chunkCount).flatMap { index in
            try reference.key.open(try #require(try folder.chunk(index, of: reference.address)))
        }
    }

    @Test(arguments: [0, 1, 65_536, 65_537, 300_000])
    func `come back as they were put in, and are sealed`(count: Int) throws {
        let folder = try BlobFolder(at: path)
        let bytes = plain(count)
        let reference = try put(bytes, into: folder)
        #expect(reference.address.length == count)
        #expect(try opened(reference, in: folder) == bytes)
        let again = try BlobFolder(at: path)
        #expect(try again.chunks(of: reference.address).isWhole)
        #expect(again.roots() == [reference.address.root])
        let names = try FileManager.default.contentsOfDirectory(atPath: path)
        #expect(names == [reference.address.root.hexadecimal])
        let stored = try #require(FileManager.default.contents(atPath: "\(path)/\(names[0])"))
        if count >= 64 { #expect(stored.range(of: Data(bytes[..<64])) == nil) }
    }

    @Test func `are for their owner only`() throws {
        let reference = try put(plain(10), into: BlobFolder(at: path))
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o700)
        #expect(stat("\(path)/\(reference.address.root.hexadecimal)", &status) == 0 && status.st_mode & 0o777 == 0o600)
    }

    @Test func `are fetched chunk by chunk, in any order, over several starts`() throws {
        let source = try BlobFolder(at: path)
        let bytes = plain(400_000)
        let reference = try put(bytes, into: source)
        let address = reference.address
        let elsewhere = scratch.file("elsewhere")
        for index in (0..<address.chunkCount).reversed() {
            let folder = try BlobFolder(at: elsewhere)
            #expect(try folder.chunks(of: address).count == address.chunkCount - 1 - index)
            try folder.save(try #require(try source.chunk(index, of: address)))
        }
        let folder = try BlobFolder(at: elsewhere)
        #expect(try folder.chunks(of: address).isWhole)
        #expect(try opened(reference, in: folder) == bytes)
    }

    @Test func `have no chunk that was cut or changed on the disk`() throws {
        let source = try BlobFolder(at: path)
        let reference = try put(plain(400_000), into: source)
        let address = reference.address
        let elsewhere = scratch.file("elsewhere")
        let folder = try BlobFolder(at: elsewhere)
        for index in 0..<address.chunkCount { try folder.save(try #require(try source.chunk(index, of: address))) }
        let part = "\(elsewhere)/\(address.root.hexadecimal).part"
        let file = try #require(FileHandle(forUpdatingAtPath: part))
        // As a crash may leave it: one record with a hole, one changed, the last one cut.
        try file.seek(toOffset: UInt64(BlobFolder.recordByteCount + 40_000))
        try file.write(contentsOf: Data(repeating: 0, count: 4_096))
        try file.seek(toOffset: UInt64(BlobFolder.offset(ofChunk: 3, of: address) + 5))
        try file.write(contentsOf: Data([1]))
        try file.truncate(atOffset: UInt64(BlobFolder.size(of: address) - 1))
        try file.close()
        let held = try BlobFolder(at: elsewhere).chunks(of: address)
        #expect((0..<address.chunkCount).filter(held.contains) == [0, 2, 4, 5])
        #expect(try folder.chunk(1, of: address) == nil)
    }

    @Test func `that are whole are looked at again once a chunk of them was wrong`() throws {
        let folder = try BlobFolder(at: path)
        let address = try put(plain(200_000), into: folder).address
        let file = try #require(FileHandle(forUpdatingAtPath: "\(path)/\(address.root.hexadecimal)"))
        try file.seek(toOffset: UInt64(BlobFolder.recordByteCount + 40_000))
        try file.write(contentsOf: Data("wrong".utf8))
        try file.close()
        #expect(try folder.chunk(1, of: address) == nil)
        #expect(try folder.chunks(of: address).isWhole)
        try folder.markIncomplete(address)
        #expect(try folder.chunks(of: address).count == 3)
    }

    @Test func `may take so much room and no more`() throws {
        let source = try BlobFolder(at: path)
        let reference = try put(plain(400_000), into: source)
        let small = try BlobFolder(at: scratch.file("small"), quota: BlobFolder.size(of: reference.address))
        try small.reserve(reference.address)
        for index in 0..<2 { try small.save(try #require(try source.chunk(index, of: reference.address))) }
        #expect(throws: StoreError.self) { try put(plain(10), into: small) }
        try small.remove(reference.address.root)
        _ = try put(plain(10), into: small)
        let names = try FileManager.default.contentsOfDirectory(atPath: scratch.file("small"))
        #expect(names.count == 1, "what was refused left nothing behind")
    }

    @Test func `for which there is no room are known before anything of them comes`() throws {
        let source = try BlobFolder(at: path)
        let address = try put(plain(400_000), into: source).address
        let small = try BlobFolder(at: scratch.file("small"), quota: BlobFolder.size(of: address) - 1)
        #expect(throws: StoreError.quotaReached(BlobFolder.size(of: address) - 1)) { try small.reserve(address) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.file("small")).isEmpty)
        let large = try BlobFolder(at: scratch.file("large"), quota: BlobFolder.size(of: address))
        try large.reserve(address)
        try large.reserve(address)
        let other = try #require(BlobAddress(top: .hash("other"), length: 1))
        #expect(throws: StoreError.self) { try large.reserve(other) }
    }

    @Test func `that nobody gives keep room for no more than what is here`() throws {
        let source = try BlobFolder(at: path)
        let address = try put(plain(400_000), into: source).address
        let folder = try BlobFolder(at: scratch.file("other"), quota: BlobFolder.size(of: address))
        try folder.reserve(address)
        #expect(folder.usedByteCount == BlobFolder.size(of: address))
        // What is written last makes the file as long as the whole.
        try folder.save(try #require(try source.chunk(address.chunkCount - 1, of: address)))
        folder.release(address, holding: 1)
        #expect(folder.usedByteCount == BlobFolder.recordByteCount)
        _ = try put(plain(10), into: folder)
        #expect(throws: StoreError.quotaReached(BlobFolder.size(of: address))) { try folder.reserve(address) }
        let reopened = try BlobFolder(at: scratch.file("other"), quota: .max)
        #expect(reopened.usedByteCount < 3 * BlobFolder.recordByteCount)
    }

    @Test func `get more room or less while the node runs, and none is erased`() throws {
        let source = try BlobFolder(at: path)
        let address = try put(plain(400_000), into: source).address
        let folder = try BlobFolder(at: scratch.file("other"), quota: BlobFolder.size(of: address) - 1)
        #expect(throws: StoreError.self) { try folder.reserve(address) }
        folder.limit(to: BlobFolder.size(of: address))
        for index in 0..<address.chunkCount { try folder.save(try #require(try source.chunk(index, of: address))) }
        folder.limit(to: 1)
        #expect(try folder.quota == 1 && folder.chunks(of: address).isWhole)
        #expect(throws: StoreError.quotaReached(1)) { try put(plain(10), into: folder) }
    }

    @Test func `that turn out wrong while they are synced do not count as whole`() async throws {
        let source = try BlobFolder(at: path)
        let address = try put(plain(200_000), into: source).address
        let name = scratch.file("elsewhere") + "/" + address.root.hexadecimal
        for _ in 0..<20 {
            let folder = try BlobFolder(at: scratch.file("elsewhere"))
            for index in 0..<address.chunkCount { try folder.save(try #require(try source.chunk(index, of: address))) }
            folder.finish(address)
            try folder.markIncomplete(address)
            await folder.settled()
            #expect(FileManager.default.fileExists(atPath: name + ".part"))
            #expect(!FileManager.default.fileExists(atPath: name))
            folder.finish(address)
            try folder.remove(address.root)
            await folder.settled()
            #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.file("elsewhere")).isEmpty)
        }
    }

    @Test func `remember what the user does not want`() throws {
        let root = Digest.hash("root")
        try BlobFolder(at: path).setCanceled(true, root)
        #expect(try BlobFolder(at: path).canceled() == [root])
        try BlobFolder(at: path).setCanceled(false, root)
        #expect(try BlobFolder(at: path).canceled().isEmpty)
    }

    @Test func `that were being put in when the node stopped are gone`() throws {
        let folder = try BlobFolder(at: path)
        #expect(FileManager.default.createFile(atPath: path + "/new-1", contents: Data([1])))
        _ = try BlobFolder(at: path)
        #expect(try FileManager.default.contentsOfDirectory(atPath: path).isEmpty)
        #expect(folder.roots().isEmpty)
    }

    @Test func `longer than the limit are refused`() throws {
        var random = SystemRandom()
        var upload = try BlobFolder(at: path).receive(using: &random)
        let megabyte = [UInt8](repeating: 0, count: 1 << 20)
        for _ in 0..<100 { _ = try upload.append(megabyte) }
        // The last chunk is held back until more comes.
        let isTaken = try upload.append([1])
        #expect(isTaken)
        let reference = try upload.finish(mediaType: .unknown)
        #expect(reference == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: path).isEmpty)
    }
}

extension BlobFolder {
    /// Opens a folder with room for all that a test puts in.
    fileprivate convenience init(at folder: String) throws(StoreError) {
        try self.init(at: folder, quota: 1 << 30)
    }
}
