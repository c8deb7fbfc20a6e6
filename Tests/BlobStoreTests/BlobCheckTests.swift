import Blobs
import Conversations
import Cryptography
import Foundation
import Storage
import Testing

@testable import BlobStore

@Suite("Damage in files")
struct BlobCheckTests {
    private let scratch: Scratch
    private let path: String

    init() throws {
        scratch = try Scratch()
        path = scratch.file("blobs")
    }

    private func put(_ count: Int, into folder: BlobFolder) throws -> Digest {
        var random = SystemRandom()
        var upload = try folder.receive(using: &random)
        let isTaken = try upload.append((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }[...])
        #expect(isTaken)
        let reference = try upload.finish(mediaType: .unknown)
        return try #require(reference).address.root
    }

    private func overwrite(_ root: Digest, at place: Int, with bytes: [UInt8]) throws {
        let file = try #require(FileHandle(forUpdatingAtPath: "\(path)/\(root.hexadecimal)"))
        try file.seek(toOffset: UInt64(place))
        try file.write(contentsOf: Data(bytes))
        try file.close()
    }

    @Test func `there is none in files of any length, and none where there is no folder`() throws {
        #expect(try BlobCheck.run(on: path) == BlobCheck.Result())
        let folder = try BlobFolder(at: path, quota: .max)
        for count in [0, 1, 65_535, 65_536, 65_537, 200_000] { _ = try put(count, into: folder) }
        #expect(try BlobCheck.run(on: path) == BlobCheck.Result(files: 6))
    }

    @Test func `is found in the chunk that has it, also in its proof, and in a file that was cut`() throws {
        let folder = try BlobFolder(at: path, quota: .max)
        let (chunk, proof, cut, sound) = (
            try put(200_000, into: folder), try put(200_001, into: folder), try put(200_002, into: folder),
            try put(200_003, into: folder)
        )
        try overwrite(chunk, at: BlobFolder.recordByteCount * 2 + BlobFolder.headByteCount + 5, with: [1, 2, 3])
        try overwrite(proof, at: BlobFolder.headByteCount - 3, with: [1, 2, 3])
        let file = try #require(FileHandle(forUpdatingAtPath: "\(path)/\(cut.hexadecimal)"))
        try file.truncate(atOffset: UInt64(BlobFolder.recordByteCount + 10))
        try file.close()
        try Data([1]).write(to: URL(filePath: "\(path)/\(sound.hexadecimal).part"))
        let result = try BlobCheck.run(on: path)
        #expect(result.files == 4)
        let found = Dictionary(uniqueKeysWithValues: result.findings.map { ($0.root, $0) })
        #expect(found[chunk]?.damagedChunks == 1 && found[chunk]?.chunks == 4)
        #expect(found[proof]?.damagedChunks == 1)
        #expect(found[cut] != nil && found[cut]?.damagedChunks == nil)
        #expect(found.count == 3)
    }

    @Test func `a pipe in the place of a file keeps nobody waiting`() throws {
        let root = Digest.hash("pipe")
        _ = try BlobFolder(at: path, quota: .max)
        #expect(mkfifo("\(path)/\(root.hexadecimal)", 0o600) == 0)
        let result = try BlobCheck.run(on: path)
        #expect(result.findings.map(\.root) == [root])
    }

    @Test(arguments: [0, 1, 65_536, 65_537, 131_072, 131_073, 300_000])
    func `the length of a file follows from that of what keeps it`(length: Int) throws {
        let address = try #require(BlobAddress(top: Digest.hash("test"), length: length))
        #expect(BlobCheck.length(ofFileOf: BlobFolder.size(of: address)) == length)
    }
}
