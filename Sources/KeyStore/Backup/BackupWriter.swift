import Cryptography
import Glibc
import NodeCore

/// Writes a backup to a file, which has its name only once it is whole and on the disk.
final class BackupWriter {
    private let path: String
    private let file: OpenedFile
    private var sealer: StreamSealer
    private var context: [UInt8]
    /// What waits until it is a whole piece.
    private var rest: [UInt8] = []

    /// Creates the file.
    ///
    /// - Throws: `permission_denied`, `disk_full`, `bad_configuration` without memory for the passphrase.
    init(to path: String, under passphrase: Passphrase, cost: PassphraseKey.Cost) throws(NodeError) {
        self.path = path
        // First, so that nobody waits for the passphrase where nothing can be written.
        file = try OpenedFile(writing: path + ".part")
        var random = SystemRandom()
        let passphraseKey = PassphraseKey(cost: cost, using: &random)
        let key = try MasterKey.withMemory { () throws(CryptographyError) in try passphraseKey.key(of: passphrase) }
        sealer = StreamSealer(under: key)
        let head = BackupHead(passphraseKey, streamHeader: sealer.header)
        context = head.context
        try file.write(head.bytes[...])
    }

    /// Adds a few bytes under a name.
    func add(_ bytes: [UInt8], as entry: BackupEntry) throws(NodeError) {
        try begin(entry, byteCount: bytes.count)
        try append(bytes)
    }

    /// Adds the first bytes of a file.
    ///
    /// - Parameter progress: told how many bytes more are done.
    /// - Throws: `storage_failed` if it has fewer; else as ``init(to:under:cost:)``.
    func add(_ source: HomeFile, of home: String, progress: (Int) -> Void) throws(NodeError) {
        let opened = try OpenedFile(reading: source.path, of: home)
        try begin(source.entry, byteCount: source.byteCount)
        var left = source.byteCount
        while left > 0 {
            let bytes = try opened.read(upTo: min(left, BackupHead.pieceByteCount))
            guard !bytes.isEmpty else { throw BackupFailure.reading(source.path, 0) }
            try append(bytes)
            left -= bytes.count
            progress(bytes.count)
        }
    }

    /// Ends the backup and gives it its name; one that was there before is replaced.
    func finish() throws(NodeError) {
        try append([0, 0])
        try file.write(sealer.seal(rest, in: context, isLast: true)[...])
        try file.finish(as: path)
    }

    private func begin(_ entry: BackupEntry, byteCount: Int) throws(NodeError) {
        let name = Array(entry.name.utf8)
        var head: [UInt8] = []
        withUnsafeBytes(of: UInt16(name.count).bigEndian) { head.append(contentsOf: $0) }
        head += name
        withUnsafeBytes(of: UInt64(byteCount).bigEndian) { head.append(contentsOf: $0) }
        try append(head)
    }

    private func append(_ bytes: [UInt8]) throws(NodeError) {
        rest += bytes
        // The last piece is not known before the end, so a whole one waits until something follows.
        while rest.count > BackupHead.pieceByteCount {
            let piece = Array(rest.prefix(BackupHead.pieceByteCount))
            rest.removeFirst(piece.count)
            try file.write(sealer.seal(piece, in: context, isLast: false)[...])
            context = []
        }
    }
}
