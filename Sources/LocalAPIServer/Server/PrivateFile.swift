import FoundationEssentials
import Glibc
import LocalAPIModel
import Node
import NodeCore

/// A short list in a file of the home, which only its user can read. It is written whole or not at all.
struct PrivateFile<Entry: Codable & Sendable>: Sendable {
    /// More than as many tokens as there may be, each with the longest name.
    private static var maximumBytes: Int { 64 << 10 }

    private let folder: String

    private let name: String
    private let what: String

    private var path: String { folder + "/" + name }

    /// Names a file.
    ///
    /// - Parameter what: What is in it, for people: "tokens".
    init(home: String, name: String, of what: String) {
        folder = home
        self.name = name
        self.what = what
    }

    /// Reads the list; it is empty where there is no file.
    ///
    /// - Throws: `bad_configuration` for a file that is damaged, `permission_denied`.
    func read() throws(NodeError) -> [Entry] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            if errno == ENOENT { return [] }
            throw failure("read")
        }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: Self.maximumBytes + 1)
        var count = 0
        while count < bytes.count {
            let result = bytes.withUnsafeMutableBytes {
                Glibc.read(file, $0.baseAddress.map { $0 + count }, $0.count - count)
            }
            if result == 0 { break }
            if result > 0 { count += result } else if errno != EINTR { throw failure("read") }
        }
        do {
            guard count <= Self.maximumBytes else { throw damaged }
            return try JSONDecoder().decode([Entry].self, from: Data(bytes.prefix(count)))
        } catch {
            throw damaged
        }
    }

    /// Writes the list; it is on the disk when this returns.
    ///
    /// - Throws: `disk_full`, `permission_denied`.
    func write(_ entries: [Entry]) throws(NodeError) {
        let bytes: [UInt8]
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
            bytes = Array(try encoder.encode(entries))
        } catch {
            preconditionFailure("entries are strings, whole numbers and booleans, which have a form in JSON: \(error)")
        }
        let unfinished = path + ".new"
        let file = open(unfinished, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw failure("write") }
        defer { close(file) }
        guard fchmod(file, 0o600) == 0, Glibc.write(file, bytes, bytes.count) == bytes.count, fsync(file) == 0,
            rename(unfinished, path) == 0
        else {
            let failure = failure("write")
            unlink(unfinished)
            throw failure
        }
        let folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw failure("keep") }
        defer { close(folder) }
        guard fsync(folder) == 0 else { throw failure("keep") }
    }

    private var damaged: NodeError {
        NodeError(
            .badConfiguration, "The file of \(what) \(path) is damaged",
            hint: "Move it away and start again; then make them anew.")
    }

    private func failure(_ what: String) -> NodeError {
        NodeError(
            errno == ENOSPC ? .diskFull : .permissionDenied,
            "Cannot \(what) the file of \(what) \(path): \(String(cString: strerror(errno)))",
            hint: "Make room, or check who owns the folder.")
    }
}
