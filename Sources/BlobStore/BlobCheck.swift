import Blobs
import Cryptography
import Foundation
import Storage

/// Looks whether the files of a home are what they were, without knowing what they are of: each has its root for a
/// name, and each of its chunks proves itself against that.
///
/// Files that are on their way are not looked at: what is wrong in them counts as not here, and is asked for.
package enum BlobCheck {
    /// A file that is not what it was.
    package struct Finding: Hashable, Sendable {
        /// What it is called.
        package let root: Digest
        /// How many of its chunks are wrong; nil where it has not the length of a file.
        package let damagedChunks: Int?
        /// How many chunks it has.
        package let chunks: Int
    }

    /// What was looked at.
    package struct Result: Hashable, Sendable {
        package var files = 0
        package var findings: [Finding] = []
    }

    /// Reads every file that is whole by its name. A folder that is not there has none.
    ///
    /// - Parameter progress: told after each file how many bytes were read, and how many there are.
    /// - Throws: `permissionDenied`, `ioError`.
    /// - Complexity: about 1 s for a GiB.
    package static func run(
        on folder: String, progress: (_ done: Int, _ all: Int) -> Void = { _, _ in }
    ) throws(StoreError) -> Result {
        guard FileManager.default.fileExists(atPath: folder) else { return Result() }
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        } catch {
            throw .permissionDenied(path: folder)
        }
        var whole: [(root: Digest, path: String, size: Int)] = []
        for name in names {
            var status = stat()
            guard name.utf8.count == 2 * Digest.byteCount, let root = Digest(hexadecimal: name),
                stat("\(folder)/\(name)", &status) == 0
            else { continue }
            whole.append((root, "\(folder)/\(name)", Int(status.st_size)))
        }
        var result = Result()
        let all = whole.reduce(0) { $0 + $1.size }
        var done = 0
        for file in whole {
            // A running node may have removed it meanwhile.
            if let opened = FileDescriptor(file.path, O_RDONLY) {
                result.files += 1
                if let finding = look(at: opened, root: file.root, size: file.size) { result.findings.append(finding) }
            } else if errno != ENOENT {
                throw BlobFolder.failure(file.path)
            }
            done += file.size
            progress(done, all)
        }
        return result
    }

    private static func look(at file: borrowing FileDescriptor, root: Digest, size: Int) -> Finding? {
        // Where chunks are depends on the length only, so any top does to find them.
        guard let length = length(ofFileOf: size), let shape = BlobAddress(top: root, length: length) else {
            return Finding(root: root, damagedChunks: nil, chunks: 0)
        }
        var damaged = 0
        for index in 0..<shape.chunkCount {
            let count =
                BlobChunk.headCount(at: index, of: shape) + shape.length(ofChunk: index) + CounterNonceCipher.overhead
            let chunk = file.read(count, at: BlobFolder.offset(ofChunk: index, of: shape)).flatMap {
                try? BlobChunk(verifying: $0, ofRoot: root, length: length)
            }
            if chunk?.index != index { damaged += 1 }
        }
        return damaged == 0 ? nil : Finding(root: root, damagedChunks: damaged, chunks: shape.chunkCount)
    }

    /// The length of the file that takes so many bytes in a home; nil if none does.
    static func length(ofFileOf size: Int) -> Int? {
        let rest = size - BlobFolder.headByteCount - CounterNonceCipher.overhead
        guard rest >= 0 else { return nil }
        let (before, last) = rest.quotientAndRemainder(dividingBy: BlobFolder.recordByteCount)
        guard last <= BlobAddress.chunkByteCount, before == 0 || last > 0 else { return nil }
        let length = before * BlobAddress.chunkByteCount + last
        return length <= BlobAddress.maximumLength ? length : nil
    }
}
