import Cryptography
import NodeCore

/// The key under which everything secret of a home is sealed. It never changes; what guards it does.
///
/// It is stored in `keys/key` as it is, or in `keys/passphrase` behind a passphrase. A change writes the one, then
/// erases the other, so at any moment at least one of them is whole. Both are there after a change that was
/// interrupted, and nobody was told that it was done: then a start without the passphrase takes the passphrase away, a
/// start with it takes the plain key away.
struct MasterKey: Sendable {
    /// What keeps others from the key.
    enum Protection: Hashable, Sendable {
        /// Only the permissions of the file system.
        case fileMode
        case passphrase
    }

    let key: StorageKey
    let protection: Protection
    private let files: KeyFiles

    /// The names of its files.
    static let fileNames = [plainName, passphraseName]
    private static let plainName = "key"
    private static let passphraseName = "passphrase"

    private init(_ key: StorageKey, _ protection: Protection, in files: KeyFiles) {
        self.key = key
        self.protection = protection
        self.files = files
    }

    /// Draws a key and puts it on the disk.
    ///
    /// - Throws: `disk_full`, `permission_denied`, `bad_configuration` without memory for the passphrase.
    static func make(
        in files: KeyFiles, passphrase: Passphrase?, cost: PassphraseKey.Cost,
        using random: inout some RandomNumberGenerator
    ) throws(NodeError) -> MasterKey {
        let made = MasterKey(.generate(using: &random), .fileMode, in: files)
        guard let passphrase else {
            try files.write(PlainMasterKey(made.key).file, to: plainName)
            return made
        }
        return try made.setPassphrase(passphrase, cost: cost, using: &random)
    }

    /// Opens the key; nil where no file of it is.
    ///
    /// - Throws: `passphrase_needed`, `wrong_passphrase`, `damaged_home`, `permission_denied`, `invalid_operation` for
    ///   a passphrase that guards nothing, `bad_configuration` without memory for it.
    static func open(in files: KeyFiles, passphrase: Passphrase?) throws(NodeError) -> MasterKey? {
        switch (try plain(in: files), try sealed(in: files)) {
        case (.absent, .absent):
            return nil
        case (.damaged, .absent), (.damaged, .damaged):
            throw files.damaged(plainName)
        case (.absent, .damaged):
            throw files.damaged(passphraseName, "is damaged, or of a newer version")
        case (.whole(let plain), .whole(let sealed)):
            guard let passphrase else { return MasterKey(plain.key, .fileMode, in: files) }
            let opened = try open(sealed, with: passphrase, in: files)
            guard opened.key.isSame(as: plain.key) else { throw files.damaged(plainName, "is of another home") }
            return opened
        case (.whole(let plain), .absent), (.whole(let plain), .damaged):
            guard passphrase == nil else {
                throw NodeError(
                    .invalidOperation, "This home has no passphrase, so yours protects nothing",
                    hint: "Set one with: moot passphrase set")
            }
            return MasterKey(plain.key, .fileMode, in: files)
        case (.absent, .whole(let sealed)), (.damaged, .whole(let sealed)):
            return try open(sealed, with: passphrase, in: files)
        }
    }

    /// Whether the key cannot be opened without a passphrase.
    ///
    /// - Throws: `damaged_home`, `permission_denied`.
    static func needsPassphrase(in files: KeyFiles) throws(NodeError) -> Bool {
        if case .whole = try plain(in: files) { return false }
        guard case .whole = try sealed(in: files) else { return false }
        return true
    }

    /// Puts the key behind a passphrase, or behind another one.
    ///
    /// - Throws: `disk_full`, `permission_denied`, `bad_configuration` without memory for the passphrase.
    func setPassphrase(
        _ passphrase: Passphrase, cost: PassphraseKey.Cost, using random: inout some RandomNumberGenerator
    ) throws(NodeError) -> MasterKey {
        let sealed = try Self.withMemory { () throws(CryptographyError) in
            try SealedMasterKey(key, under: passphrase, cost: cost, using: &random)
        }
        try files.write(sealed.file, to: Self.passphraseName)
        let guarded = MasterKey(key, .passphrase, in: files)
        try guarded.eraseLeftover()
        return guarded
    }

    /// Takes the passphrase away.
    ///
    /// - Throws: `disk_full`, `permission_denied`.
    func removePassphrase() throws(NodeError) -> MasterKey {
        try files.write(PlainMasterKey(key).file, to: Self.plainName)
        let unguarded = MasterKey(key, .fileMode, in: files)
        try unguarded.eraseLeftover()
        return unguarded
    }

    /// Erases the file that an interrupted change left.
    ///
    /// - Returns: Whether there was one.
    /// - Throws: `disk_full`, `permission_denied`.
    @discardableResult
    func eraseLeftover() throws(NodeError) -> Bool {
        let other =
            switch protection {
            case .fileMode: Self.passphraseName
            case .passphrase: Self.plainName
            }
        guard files.has(other) else { return false }
        try files.erase(other)
        return true
    }

    // MARK: - Files

    /// What became of a file.
    private enum Found<Content> {
        case absent
        case damaged
        case whole(Content)

        init(_ content: Content?, isThere: Bool) {
            self = content.map { .whole($0) } ?? (isThere ? .damaged : .absent)
        }
    }

    private static func plain(in files: KeyFiles) throws(NodeError) -> Found<PlainMasterKey> {
        let file = try files.readSecret(plainName)
        return Found(file.flatMap(PlainMasterKey.init), isThere: file != nil)
    }

    private static func sealed(in files: KeyFiles) throws(NodeError) -> Found<SealedMasterKey> {
        let file = try files.read(passphraseName, atMost: SealedMasterKey.byteCount + 1)
        return Found(file.flatMap(SealedMasterKey.init), isThere: file != nil)
    }

    private static func open(
        _ sealed: SealedMasterKey, with passphrase: Passphrase?, in files: KeyFiles
    ) throws(NodeError) -> MasterKey {
        guard let passphrase else {
            throw NodeError(
                .passphraseNeeded, "The keys of this home are behind a passphrase",
                hint: "Give it with --passphrase-file FILE, or - for standard input.")
        }
        let key = try withMemory { () throws(CryptographyError) in try sealed.open(with: passphrase) }
        return MasterKey(key, .passphrase, in: files)
    }

    /// Runs Argon2id and says what its errors mean to a user.
    static func withMemory<Result>(
        _ work: () throws(CryptographyError) -> Result
    ) throws(NodeError) -> Result {
        do {
            return try work()
        } catch {
            switch error {
            case .authentication:
                throw NodeError(
                    .wrongPassphrase, "This is not the passphrase of the home",
                    hint: "Try again; without the passphrase the keys cannot be opened, by nobody.")
            case .outOfMemory, .selfTest, .weakKey, .exhausted:
                throw NodeError(
                    .badConfiguration, "A passphrase takes more memory than the system gives: \(error.code)",
                    hint: "Free 256 MiB, or raise the limit of the process.")
            }
        }
    }
}
