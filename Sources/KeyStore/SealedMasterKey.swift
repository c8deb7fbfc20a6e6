import Cryptography

/// The file `keys/passphrase`: a home's master key, sealed under the key that Argon2id makes of the passphrase.
///
/// ```
/// version 1 | passes 4 | KiB of memory 4 | salt 16 | sealed master 72 | hash of all before 32
/// ```
///
/// Anybody can compute the hash. It is there to tell a damaged file from a wrong passphrase.
struct SealedMasterKey {
    private let passphraseKey: PassphraseKey
    private let sealed: [UInt8]

    /// Bytes of the file.
    static let byteCount = headerByteCount + sealedByteCount + Digest.byteCount
    private static let headerByteCount = 9 + PassphraseKey.saltByteCount
    private static let sealedByteCount = StorageKey.byteCount + StorageKey.overhead
    private static let version: UInt8 = 1

    /// Seals a master key.
    ///
    /// - Throws: ``CryptographyError/outOfMemory``.
    init(
        _ master: StorageKey, under passphrase: Passphrase, cost: PassphraseKey.Cost,
        using random: inout some RandomNumberGenerator
    ) throws(CryptographyError) {
        passphraseKey = PassphraseKey(cost: cost, using: &random)
        sealed = try passphraseKey.key(of: passphrase)
            .seal(master, in: Self.cell(Self.header(passphraseKey)), using: &random)
    }

    /// Reads the file; nil if it is damaged.
    init?(_ file: [UInt8]) {
        guard file.count == Self.byteCount, file[0] == Self.version,
            Self.hash(Array(file.dropLast(Digest.byteCount))).bytes == Array(file.suffix(Digest.byteCount))
        else { return nil }
        let number = { (start: Int) in file[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } }
        guard let cost = PassphraseKey.Cost(passes: number(1), kibibytes: number(5)),
            let key = PassphraseKey(cost: cost, salt: Array(file[9..<Self.headerByteCount]))
        else { return nil }
        passphraseKey = key
        sealed = Array(file[Self.headerByteCount...].prefix(Self.sealedByteCount))
    }

    /// The bytes of the file.
    var file: [UInt8] {
        let content = Self.header(passphraseKey) + sealed
        return content + Self.hash(content).bytes
    }

    /// Opens the master key.
    ///
    /// - Throws: ``CryptographyError/authentication`` for another passphrase, ``CryptographyError/outOfMemory``.
    func open(with passphrase: Passphrase) throws(CryptographyError) -> StorageKey {
        try passphraseKey.key(of: passphrase).openKey(sealed, in: Self.cell(Self.header(passphraseKey)))
    }

    private static func header(_ key: PassphraseKey) -> [UInt8] {
        var header = [version]
        for number in [key.cost.passes, key.cost.kibibytes] {
            withUnsafeBytes(of: number.bigEndian) { header.append(contentsOf: $0) }
        }
        return header + key.salt
    }

    private static func cell(_ header: [UInt8]) -> StorageLocation {
        StorageLocation(table: "keys", row: header, kind: "key")
    }

    private static func hash(_ content: [UInt8]) -> Digest {
        .hash("moot/1/passphrase", content)
    }
}
