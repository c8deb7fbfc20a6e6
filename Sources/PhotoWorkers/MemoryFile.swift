import CProcess
import Glibc
import Photos

/// A file in memory that no folder knows of. Unlike a pipe it never makes one process wait for another.
struct MemoryFile: ~Copyable {
    let descriptor: Int32

    /// An empty file.
    init() throws(PhotoError) {
        descriptor = moot_memory_file("moot-photo")
        guard descriptor >= 0 else { throw .unavailable }
    }

    deinit { close(descriptor) }

    /// Writes bytes, to be read from the first.
    func write(_ bytes: [UInt8]) throws(PhotoError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                pwrite(descriptor, $0.baseAddress, $0.count, off_t(bytes.count - rest.count))
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw .unavailable }
            rest = rest.dropFirst(count)
        }
    }

    /// All bytes; nil if there are more than `limit`.
    func bytes(limit: Int) -> [UInt8]? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_size <= limit else { return nil }
        let size = Int(status.st_size)
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { target, count in
            while count < size {
                let more = pread(descriptor, target.baseAddress.map { $0 + count }, size - count, off_t(count))
                if more < 0 && errno == EINTR { continue }
                guard more > 0 else { break }
                count += more
            }
        }
        return bytes.count == size ? bytes : nil
    }
}
