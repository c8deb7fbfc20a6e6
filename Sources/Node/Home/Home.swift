import Cryptography
import Foundation
import NodeCore
import OperationLog

/// The folder of a node: its lock, its keys and its database.
struct Home: Sendable {
    /// The folder, with mode 0700.
    let folder: String
    /// Held as long as the node lives.
    let lock: HomeLock
    /// What names the node for ever.
    let keys: NodeCore.Keys

    /// Opens a node's folder, making it and its keys at first start.
    ///
    /// - Throws: `home_in_use`, `permission_denied`, `damaged_home`.
    init(folder: String, random: inout some RandomNumberGenerator) throws(NodeError) {
        self.folder = folder
        try Self.makeFolder(folder)
        lock = try HomeLock(folder: folder)
        let files = folder + "/keys"
        try Self.makeFolder(files)
        let root = try Self.key(at: files + "/root", random: &random) { SigningKey(seed: $0) }
        let device = try Self.key(at: files + "/device", random: &random) { SigningKey(seed: $0) }
        keys = NodeCore.Keys(
            root: root, author: Author(user: UserID(root.verifyingKey), key: device),
            channelKey: try Self.key(at: files + "/channel", random: &random) { AgreementKey(secret: $0) },
            sealing: try Self.key(at: files + "/key", random: &random) { bytes in
                bytes.count == CellKey.byteCount ? CellKey(SecretBytes(bytes)) : nil
            })
    }

    /// Where the database is.
    var database: String { folder + "/replica.sqlite" }

    /// Beside the keys, so that it is lost with them: says that a database was made for them.
    private var mark: String { folder + "/keys/used" }

    /// Refuses keys whose database is gone: the device would write its chains a second time from the beginning, which is a fork.
    ///
    /// An old copy of the database is not recognised.
    ///
    /// - Throws: `damaged_home`.
    func checkThatChainsGoOn() throws(NodeError) {
        guard FileManager.default.fileExists(atPath: mark), !FileManager.default.fileExists(atPath: database) else {
            return
        }
        throw NodeError(
            .damagedHome, "The database \(database) is gone, but the keys that wrote it are here",
            hint: "Put the database back, or start with another --home as somebody new: "
                + "a device that forgot what it wrote would contradict itself.")
    }

    /// Remembers that the keys have a database.
    ///
    /// - Throws: `disk_full`, `permission_denied`.
    func noteThatChainsBegan() throws(NodeError) {
        guard !FileManager.default.fileExists(atPath: mark) else { return }
        try Self.write([], to: mark)
    }

    /// Makes a folder that only its owner can enter, and checks that an existing one is no one else's.
    static func makeFolder(_ path: String) throws(NodeError) {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw NodeError(
                .permissionDenied, "Cannot make the folder \(path): \(error.localizedDescription)",
                hint: "Choose another folder with --home.")
        }
        guard chmod(path, 0o700) == 0 else {
            throw NodeError(
                .permissionDenied, "The folder \(path) belongs to somebody else",
                hint: "Choose another folder with --home.")
        }
    }

    /// Reads a 32-byte secret, or makes one. A new secret is on disk, whole, before anything is done with it.
    private static func key<Key>(
        at path: String, random: inout some RandomNumberGenerator, parse: ([UInt8]) -> Key?
    ) throws(NodeError) -> Key {
        if FileManager.default.fileExists(atPath: path) {
            guard let bytes = FileManager.default.contents(atPath: path), let key = parse(Array(bytes)) else {
                throw NodeError(
                    .damagedHome, "The key file \(path) cannot be read or is damaged",
                    hint: "Restore it from a backup; without it this node cannot act as the same device.")
            }
            return key
        }
        let secret = random.bytes(32)
        guard let key = parse(secret) else { preconditionFailure("32 random bytes are a key") }
        try write(secret, to: path)
        return key
    }

    private static func write(_ secret: [UInt8], to path: String) throws(NodeError) {
        let failure = { (what: String) in
            NodeError(
                errno == ENOSPC ? .diskFull : .permissionDenied,
                "Cannot \(what) the key file \(path): \(String(cString: strerror(errno)))",
                hint: "Make room or check the folder's owner, then start again.")
        }
        let temporary = path + ".new"
        let file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure("create") }
        defer { close(file) }
        guard Glibc.write(file, secret, secret.count) == secret.count, fsync(file) == 0 else { throw failure("write") }
        guard rename(temporary, path) == 0 else { throw failure("rename") }
        let folder = open((path as NSString).deletingLastPathComponent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw failure("keep") }
        defer { close(folder) }
        guard fsync(folder) == 0 else { throw failure("keep") }
    }
}
