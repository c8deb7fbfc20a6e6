import FoundationEssentials
import Glibc
import LocalAPIModel
import Node
import NodeCore

/// The file `tokens.json` of a home, which only its user can read. It is written whole or not at all.
struct TokenFile: Sendable {
    /// More than as many tokens as there may be, each with the longest name.
    private static let maximumBytes = 64 << 10

    private let folder: String

    private var path: String { folder + "/tokens.json" }

    init(home: String) { folder = home }

    /// Reads the tokens; none where there is no file.
    ///
    /// - Throws: `bad_configuration` for a file that is damaged, `permission_denied`.
    func read() throws(NodeError) -> [LastingToken] {
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
            return try JSONDecoder().decode([LastingToken].self, from: Data(bytes.prefix(count)))
        } catch {
            throw damaged
        }
    }

    /// Writes the tokens; they are on the disk when this returns.
    ///
    /// - Throws: `disk_full`, `permission_denied`.
    func write(_ tokens: [LastingToken]) throws(NodeError) {
        let bytes: [UInt8]
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
            bytes = Array(try encoder.encode(tokens))
        } catch {
            preconditionFailure("tokens are strings and booleans, which have a form in JSON: \(error)")
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
            .badConfiguration, "The file of tokens \(path) is damaged",
            hint: "Move it away and start again; then make the tokens anew.")
    }

    private func failure(_ what: String) -> NodeError {
        NodeError(
            errno == ENOSPC ? .diskFull : .permissionDenied,
            "Cannot \(what) the file of tokens \(path): \(String(cString: strerror(errno)))",
            hint: "Make room, or check who owns the folder.")
    }
}
