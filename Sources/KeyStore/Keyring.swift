import Cryptography
import NodeCore
import OperationLog

/// The secrets of a home, each in a file `keys/<name>.sealed`: a version byte, then the secret sealed under the master key.
package struct Keyring: Sendable {
    /// The keys of a host that became a device of a user whose root another device holds.
    package struct LinkedKeys: Sendable {
        let user: UserID
        let device: SecretBytes
        let channel: SecretBytes

        /// Joins them.
        ///
        /// - Precondition: the secrets have 32 bytes.
        package init(user: UserID, device: SecretBytes, channel: SecretBytes) {
            self.user = user
            self.device = device
            self.channel = channel
        }
    }

    /// A secret of 32 bytes that names the node forever. The raw value is the name of its cell and of its file.
    private enum Secret: String, CaseIterable {
        case root
        case device
        case channel

        var fileName: String { rawValue + ".sealed" }
        /// Where homes of earlier versions have it as it is.
        var plainFileName: String { rawValue }
        var cell: StorageLocation { StorageLocation(table: "keys", kind: rawValue) }
    }

    /// What guards the secrets.
    let master: MasterKey
    /// The secrets.
    let keys: NodeCore.Keys
    /// Whether an interrupted change of the passphrase was ended.
    package let erasedLeftover: Bool

    private static let version: UInt8 = 1
    /// Which user the device is one of, where there is no root: sealed, so that nobody puts another one there.
    private static let userFileName = "user.sealed"
    private static let userCell = StorageLocation(table: "keys", kind: "user")
    private static let byteCount = 32

    /// Whether a folder has secrets in it, of this version or an earlier one.
    static func exists(in files: KeyFiles) -> Bool {
        (Secret.allCases.flatMap { [$0.fileName, $0.plainFileName] } + [userFileName] + MasterKey.fileNames)
            .contains(where: files.has)
    }

    /// Opens the secrets and makes those that are not there.
    ///
    /// Secrets of an earlier version, which are stored in their files as they are, are sealed; then the old files are erased. Whatever is
    /// interrupted is done the next time.
    ///
    /// - Parameters:
    ///   - isInUse: Whether the secrets have been used, so that none of them may be made again.
    ///   - linked: The keys of a host that becomes a device of a user, whose home is made; nil for every other home.
    /// - Throws: as ``MasterKey/open(in:passphrase:)`` and ``MasterKey/make(in:passphrase:cost:using:)``.
    init(
        in files: KeyFiles, isInUse: Bool, passphrase: Passphrase?, cost: PassphraseKey.Cost,
        linked: LinkedKeys? = nil, using random: inout some RandomNumberGenerator
    ) throws(NodeError) {
        if linked != nil, Self.exists(in: files) {
            throw NodeError(
                .invalidOperation, "There is a home in \(files.folder) already",
                hint: "Choose another folder with --home.")
        }
        try files.eraseUnfinished(
            of: MasterKey.fileNames + [Self.userFileName] + Secret.allCases.flatMap { [$0.fileName, $0.plainFileName] })
        var master = try MasterKey.open(in: files, passphrase: passphrase)
        if master == nil {
            try Self.requireNoSealedSecrets(in: files, passphrase: passphrase)
            master = try MasterKey.make(in: files, passphrase: passphrase, cost: cost, using: &random)
        }
        guard let master else { preconditionFailure("a key that was not there was made") }
        let isLinked = linked != nil || files.has(Self.userFileName)
        var secrets: [Secret: SecretBytes] = [:]
        for secret in Secret.allCases where secret != .root || !isLinked {
            let given: SecretBytes? =
                switch secret {
                case .root: nil
                case .device: linked?.device
                case .channel: linked?.channel
                }
            secrets[secret] = try Self.open(
                secret, given: given, under: master.key, in: files, isInUse: isInUse, using: &random)
        }
        let root = secrets[.root].flatMap { SigningKey(seed: $0) }
        // The keys first: without them nobody could be this device of the user.
        if let linked { try Self.write(linked.user, under: master.key, in: files, using: &random) }
        let user: UserID? =
            if let root { UserID(root.verifyingKey) } else { try Self.readUser(under: master.key, in: files) }
        guard let user, let device = secrets[.device].flatMap({ SigningKey(seed: $0) }),
            let channelKey = secrets[.channel].flatMap({ AgreementKey(secret: $0) })
        else { preconditionFailure("secrets of 32 bytes are keys") }
        keys = NodeCore.Keys(
            root: root, author: Author(user: user, key: device), channelKey: channelKey, sealing: master.key)
        // Only now: what did not open the secrets must not be the reason to erase anything.
        erasedLeftover = try master.eraseLeftover()
        self.master = master
    }

    /// Nothing may be sealed already, and a home of an earlier version gets its passphrase by the command that sets one.
    private static func requireNoSealedSecrets(in files: KeyFiles, passphrase: Passphrase?) throws(NodeError) {
        guard !Secret.allCases.contains(where: { files.has($0.fileName) }) else {
            throw files.damaged("key", "is gone")
        }
        guard passphrase == nil || !exists(in: files) else {
            throw NodeError(
                .invalidOperation, "This home has no passphrase, so yours protects nothing",
                hint: "Set one with: moot passphrase set")
        }
    }

    private static func open(
        _ secret: Secret, given: SecretBytes?, under master: StorageKey, in files: KeyFiles, isInUse: Bool,
        using random: inout some RandomNumberGenerator
    ) throws(NodeError) -> SecretBytes {
        let plain = try files.readSecret(secret.plainFileName)
        guard plain.map({ $0.count == byteCount }) ?? true else { throw files.damaged(secret.plainFileName) }
        if !files.has(secret.fileName) {
            guard plain != nil || !isInUse else { throw files.damaged(secret.fileName, "is gone") }
            let content = plain ?? given ?? SecretBytes(count: byteCount, using: &random)
            try files.write([version] + master.seal(content, in: secret.cell, using: &random), to: secret.fileName)
        }
        let opened = try read(secret, under: master, in: files)
        if let plain {
            guard plain.isSame(as: opened) else {
                throw files.damaged(secret.plainFileName, "says something else than \(secret.fileName)")
            }
            try files.erase(secret.plainFileName)
        }
        return opened
    }

    /// Keeps which user the device is one of.
    private static func write(
        _ user: UserID, under master: StorageKey, in files: KeyFiles, using random: inout some RandomNumberGenerator
    ) throws(NodeError) {
        let sealed = master.seal(SecretBytes(user.digest.bytes), in: userCell, using: &random)
        try files.write([version] + sealed, to: userFileName)
    }

    private static func readUser(under master: StorageKey, in files: KeyFiles) throws(NodeError) -> UserID? {
        let opened = try read(userFileName, in: userCell, under: master, in: files)
        return Digest(bytes: opened.withUnsafeBytes { Array($0) }).map { UserID(digest: $0) }
    }

    private static func read(
        _ secret: Secret, under master: StorageKey, in files: KeyFiles
    ) throws(NodeError) -> SecretBytes {
        try read(secret.fileName, in: secret.cell, under: master, in: files)
    }

    private static func read(
        _ name: String, in cell: StorageLocation, under master: StorageKey, in files: KeyFiles
    ) throws(NodeError) -> SecretBytes {
        let expected = 1 + byteCount + StorageKey.overhead
        guard let file = try files.read(name, atMost: expected + 1), file.count == expected, file.first == version
        else { throw files.damaged(name) }
        do {
            return try master.open(Array(file.dropFirst()), in: cell)
        } catch {
            throw files.damaged(name, "is damaged, or of another home")
        }
    }
}
