import Cryptography
import NodeCore

/// Reads a backup from its beginning to its end. What it returns was authenticated.
final class BackupReader {
    private let file: OpenedFile
    private var opener: StreamOpener
    private var context: [UInt8]
    private var rest: ArraySlice<UInt8> = []
    private var isAtEnd = false

    /// The beginning of an entry.
    struct Head {
        let entry: BackupEntry
        let byteCount: Int
    }

    /// Opens a file and the first piece of it.
    ///
    /// - Throws: `file_not_found`, `permission_denied`; `damaged_backup` if it is none; `newer_database` if a newer
    ///   version made it; `wrong_passphrase`, also if its first bytes were changed; `bad_configuration` without memory
    ///   for the passphrase.
    init(_ path: String, under passphrase: Passphrase) throws(NodeError) {
        file = try OpenedFile(reading: path)
        let head = try Self.head(of: file)
        let key = try MasterKey.withMemory { () throws(CryptographyError) in
            try head.passphraseKey.key(of: passphrase)
        }
        opener = try Self.opener(head, of: file, under: key)
        context = head.context
        do throws(NodeError) {
            try readPiece()
        } catch {
            guard error.code == .damagedBackup else { throw error }
            throw NodeError(
                .wrongPassphrase, "The passphrase does not open \(path), or its first bytes were changed",
                hint: "Try again with the passphrase that was given when the backup was made.")
        }
    }

    private static func opener(
        _ head: BackupHead, of file: OpenedFile, under key: StorageKey
    ) throws(NodeError) -> StreamOpener {
        guard let opener = StreamOpener(head.streamHeader, under: key) else {
            throw BackupFailure.damaged(file.path, "is damaged")
        }
        return opener
    }

    private static func head(of file: OpenedFile) throws(NodeError) -> BackupHead {
        let bytes = try file.read(upTo: BackupHead.byteCount)
        do throws(BackupHead.Problem) {
            return try BackupHead(bytes)
        } catch {
            switch error {
            case .noBackup: throw BackupFailure.damaged(file.path, "is no backup of Moot, or is damaged")
            case .newer:
                throw NodeError(
                    .newerDatabase, "A newer version of Moot made the backup \(file.path)",
                    hint: "Restore it with that version.")
            }
        }
    }

    /// What follows, once all bytes before it were taken; nil at the end.
    ///
    /// - Throws: `damaged_backup`.
    func next() throws(NodeError) -> Head? {
        let length = try number(byteCount: 2)
        guard length > 0 else {
            guard rest.isEmpty, isAtEnd else { throw BackupFailure.damaged(file.path, "goes on after its end") }
            return nil
        }
        guard length <= BackupEntry.maximumNameByteCount else {
            throw BackupFailure.damaged(file.path, "has a name that is too long")
        }
        var name: [UInt8] = []
        try take(length) { piece throws(NodeError) in name += piece }
        guard let entry = BackupEntry(String(decoding: name, as: UTF8.self)) else {
            throw BackupFailure.damaged(file.path, "has a file that belongs to no home")
        }
        return Head(entry: entry, byteCount: try number(byteCount: 8))
    }

    /// Takes the bytes of an entry, piece by piece.
    func take(
        _ count: Int, _ body: (ArraySlice<UInt8>) throws(NodeError) -> Void
    ) throws(NodeError) {
        var left = count
        while left > 0 {
            if rest.isEmpty { try readPiece() }
            let piece = rest.prefix(left)
            try body(piece)
            rest.removeFirst(piece.count)
            left -= piece.count
        }
    }

    private func number(byteCount: Int) throws(NodeError) -> Int {
        var value: UInt64 = 0
        try take(byteCount) { piece throws(NodeError) in for byte in piece { value = value << 8 | UInt64(byte) } }
        guard let number = Int(exactly: value) else {
            throw BackupFailure.damaged(file.path, "has an impossible length")
        }
        return number
    }

    private func readPiece() throws(NodeError) {
        guard !isAtEnd else { throw BackupFailure.damaged(file.path, "ends in the middle of a file") }
        let sealed = try file.read(upTo: BackupHead.pieceByteCount + StreamSealer.overhead)
        do throws(CryptographyError) {
            let (piece, isLast) = try opener.open(sealed, in: context)
            (rest, isAtEnd, context) = (piece[...], isLast, [])
        } catch {
            throw BackupFailure.damaged(file.path, "was cut off or changed")
        }
        guard isAtEnd else {
            // Only the last piece may have nothing in it.
            guard !rest.isEmpty else { throw BackupFailure.damaged(file.path, "has an empty piece") }
            return
        }
        guard try file.read(upTo: 1).isEmpty else {
            throw BackupFailure.damaged(file.path, "goes on after its end")
        }
    }
}
