import Cryptography

/// How a backup begins: how its passphrase becomes a key, and the header of the sealed stream that follows.
///
/// ```
/// "MootBackup" 10 | version 1 | passes 4 | KiB of memory 4 | salt 16 | header of the stream 24
/// ```
///
/// The stream comes in pieces of ``pieceByteCount`` bytes, each ``StreamSealer/overhead`` longer when it is sealed; the
/// last may be shorter. The first is sealed in the context of what stands before the header. Opened and joined they are
/// entries, one after the other:
///
/// ```
/// length of the name 2 | name | length 8 | bytes
/// ```
///
/// An entry with an empty name and nothing else ends them.
struct BackupHead {
    private static let magic = Array("MootBackup".utf8)
    private static let version: UInt8 = 1
    /// Bytes of the head.
    static let byteCount = magic.count + 9 + PassphraseKey.saltByteCount + StreamSealer.headerByteCount
    /// Bytes of a piece before it is sealed.
    static let pieceByteCount = 64 << 10

    let passphraseKey: PassphraseKey
    let streamHeader: [UInt8]

    /// What is wrong with a file that is read as a backup.
    enum Problem: Error {
        case noBackup, newer
    }

    init(_ passphraseKey: PassphraseKey, streamHeader: [UInt8]) {
        (self.passphraseKey, self.streamHeader) = (passphraseKey, streamHeader)
    }

    /// Reads the first ``byteCount`` bytes of a file.
    init(_ bytes: [UInt8]) throws(Problem) {
        guard bytes.starts(with: Self.magic), bytes.count > Self.magic.count else { throw .noBackup }
        guard bytes[Self.magic.count] == Self.version else { throw .newer }
        guard bytes.count == Self.byteCount else { throw .noBackup }
        let number = { (start: Int) in bytes[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } }
        let start = Self.magic.count + 1
        let salt = bytes[(start + 8)...].prefix(PassphraseKey.saltByteCount)
        guard let cost = PassphraseKey.Cost(passes: number(start), kibibytes: number(start + 4)),
            let key = PassphraseKey(cost: cost, salt: Array(salt))
        else { throw .noBackup }
        self.init(key, streamHeader: bytes.suffix(StreamSealer.headerByteCount))
    }

    /// What stands before the header of the stream.
    var context: [UInt8] {
        var bytes = Self.magic + [Self.version]
        for number in [passphraseKey.cost.passes, passphraseKey.cost.kibibytes] {
            withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
        }
        return bytes + passphraseKey.salt
    }

    /// The bytes of the head.
    var bytes: [UInt8] { context + streamHeader }
}
