import Foundation
import Storage

/// An open file, closed with its last use.
struct FileDescriptor: ~Copyable {
    let number: Int32

    /// Opens a file; nil where that fails, with the reason in `errno`. Opening a pipe in its place does not block.
    init?(_ path: String, _ flags: Int32) {
        let opened = open(path, flags | O_CLOEXEC | O_NONBLOCK, 0o600)
        // Before it is this value's: to close it would replace the reason.
        guard opened >= 0 else { return nil }
        number = opened
    }

    deinit { close(number) }

    /// Reads so many bytes from a place; nil if there are fewer.
    func read(_ count: Int, at offset: Int) -> [UInt8]? {
        var isWhole = false
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            initialized = max(0, pread(number, buffer.baseAddress, count, off_t(offset)))
            isWhole = initialized == count
        }
        return isWhole ? bytes : nil
    }

    /// Writes bytes at a place.
    func write(_ bytes: [UInt8], at offset: Int, path: String) throws(StoreError) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { memory in
                pwrite(
                    number, memory.baseAddress?.advanced(by: written), bytes.count - written, off_t(offset + written))
            }
            guard count > 0 || (count < 0 && errno == EINTR) else { throw BlobFolder.failure(path) }
            written += max(0, count)
        }
    }
}
