import Cryptography
import NodeCore
import OperationLog

/// The secrets of a home, each in a file `keys/<name>.sealed`: a version byte, then the secret sealed under the master
/// key.
package struct Keyring: Sendable {
    /// Keys that a home is made with. All others are drawn.
    package struct GivenKeys: Sendable {
        /// Whose device it is, where another device holds the root.
        let user: UserID?
        let root: SecretBytes?
        let device: SecretBytes?
        let channel: SecretBytes?

        /// The keys of a host that became a device of a user.
        ///
        /// - Precondition: the secrets have 32 bytes.
        package static func linked(user: UserID, device: SecretBytes, channel: SecretBytes) -> GivenKeys {
            GivenKeys(user: user, root: nil, device: device, channel: channel)
        }

        /// The root of a user whose other devices may be lost.
        static func recovered(_ root: SecretBytes) -> GivenKeys {
            GivenKeys(user: nil, root: root, device: nil, channel: nil)
        }
    }

    /// A secret of 32 bytes that names the node forever. The raw value is the name of its cell and of its file.
    fileprivate enum Secret: String, CaseIterable {
        case root
        case device
        case channel

        var fileName: String { rawValue + ".sealed" }
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
    private static let fileNames = Secret.allCases.map(\.fileName) + [userFileName] + MasterKey.fileNames

    /// Whether a folder has secrets in it.
    static func exists(in files: KeyFiles) -> Bool { fileNames.contains(where: files.has) }

    /// Whether the root is among the secrets of a home.
    static func holdsRoot(in files: KeyFiles) -> Bool { !files.has(userFileName) }

    /// Opens the secrets and makes those that are not there.
    ///
    /// Whatever is interrupted is done the next time.
    ///
    /// - Parameters:
    ///   - isInUse: Whether the secrets have been used, so that none of them may be made again.
    ///   - isNewDevice: Whether the home was made for a new device of a user: of its secrets only the root may not be
    ///     drawn.
    ///   - given: What the home is made with; nil for every other home.
    /// - Throws: as ``MasterKey/open(in:passphrase:)`` and ``MasterKey/make(in:passphrase:cost:using:)``.
    init(
        in files: KeyFiles, isInUse: Bool, isNewDevice: Bool = false, passphrase: Passphrase?, cost: PassphraseKey.Cost,
        given: GivenKeys? = nil, using random: inout some RandomNumberGenerator
    ) throws(NodeError) {
        if let given { try Self.makeRoom(for: given, in: files, isNewDevice: isNewDevice) }
        try files.eraseUnfinished(of: Self.fileNames)
        var master = try MasterKey.open(in: files, passphrase: passphrase)
        if master == nil {
            guard !Self.exists(in: files) else { throw files.damaged("key", "is gone") }
            master = try MasterKey.make(in: files, passphrase: passphrase, cost: cost, using: &random)
        }
        guard let master else { preconditionFailure("a key that was not there was made") }
        if let given { try Self.requireOwner(given.user, under: master.key, in: files) }
        let holdsRoot = given.map { $0.root != nil } ?? Self.holdsRoot(in: files)
        // A root that was being handed over when the host ended: nobody was told that it is here.
        if !holdsRoot { try files.erase(Secret.root.fileName) }
        var secrets: [Secret: SecretBytes] = [:]
        for secret in Secret.allCases where secret != .root || holdsRoot {
            secrets[secret] = try Self.open(
                secret, given: given?[secret], under: master.key, in: files,
                mayDraw: isNewDevice ? secret != .root : !isInUse, using: &random)
        }
        let root = secrets[.root].flatMap { SigningKey(seed: $0) }
        // The keys first: without them nobody could be this device of the user.
        if let given { try Self.note(given, under: master.key, in: files, using: &random) }
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

    /// Refuses what takes the root where it is not.
    ///
    /// - Throws: `invalid_operation` where no home is, or another device holds the root.
    static func requireRoot(in files: KeyFiles) throws(NodeError) {
        guard exists(in: files) else {
            throw NodeError(
                .invalidOperation, "There is no home in \(files.folder)",
                hint: "Name the folder of the node with --home.")
        }
        guard !files.has(userFileName) else {
            throw NodeError(
                .invalidOperation, "Your identity's key is on another device of yours, and not here",
                hint: "Do it there. Where that device is lost: moot recover, with the code that it printed.")
        }
    }

    /// The root of a home, which is not changed by that.
    ///
    /// - Throws: as ``MasterKey/open(in:passphrase:)``; `invalid_operation` where no home is, or another device holds
    ///   the root.
    static func root(in files: KeyFiles, passphrase: Passphrase?) throws(NodeError) -> SecretBytes {
        try requireRoot(in: files)
        guard let master = try MasterKey.open(in: files, passphrase: passphrase) else {
            throw files.damaged("key", "is gone")
        }
        return try read(.root, under: master.key, in: files)
    }

    /// Makes sure that given keys take the place of none.
    ///
    /// A host becomes a device in a home that was restored without the root, too: there it replaces what was made for
    /// the device in an attempt that did not end.
    private static func makeRoom(
        for given: GivenKeys, in files: KeyFiles, isNewDevice: Bool
    ) throws(NodeError) {
        guard exists(in: files) else { return }
        guard isNewDevice, given.device != nil, files.has(userFileName) else {
            throw NodeError(
                .invalidOperation, "There is a home in \(files.folder) already",
                hint: "Choose another folder with --home.")
        }
        for secret in Secret.allCases { try files.erase(secret.fileName) }
    }

    private static func open(
        _ secret: Secret, given: SecretBytes?, under master: StorageKey, in files: KeyFiles, mayDraw: Bool,
        using random: inout some RandomNumberGenerator
    ) throws(NodeError) -> SecretBytes {
        if !files.has(secret.fileName) {
            guard given != nil || mayDraw else { throw files.damaged(secret.fileName, "is gone") }
            let content = given ?? SecretBytes(count: byteCount, using: &random)
            try write(content, to: secret.fileName, in: secret.cell, under: master, in: files, using: &random)
        }
        return try read(secret, under: master, in: files)
    }

    /// Refuses to make a home that was restored a device of somebody else, before anything of them is written.
    ///
    /// - Throws: `wrong_person`.
    private static func requireOwner(
        _ user: UserID?, under master: StorageKey, in files: KeyFiles
    ) throws(NodeError) {
        guard files.has(userFileName), let user, try readUser(under: master, in: files) != user else { return }
        throw NodeError(
            .wrongPerson, "The home in \(files.folder) is somebody else's",
            hint: "Link this host to a device of the one whose backup it is, or choose another folder with --home.")
    }

    /// Keeps the root that was handed over to this device. It counts from when it takes the place of the note that says
    /// whose device this is.
    ///
    /// - Precondition: it is the root of the device's user.
    func take(root: SecretBytes, in files: KeyFiles) throws(NodeError) {
        var random = SystemRandom()
        try Self.write(
            root, to: Secret.root.fileName, in: Secret.root.cell, under: master.key, in: files, using: &random)
        try files.erase(Self.userFileName)
    }

    /// Keeps which user the device is one of, unless the root says so.
    private static func note(
        _ given: GivenKeys, under master: StorageKey, in files: KeyFiles, using random: inout some RandomNumberGenerator
    ) throws(NodeError) {
        if given.root != nil {
            try files.erase(userFileName)
        } else if let user = given.user {
            try write(
                SecretBytes(user.digest.bytes), to: userFileName, in: userCell, under: master, in: files, using: &random
            )
        }
    }

    /// Seals a secret into its file, in the place of what was there.
    private static func write(
        _ content: SecretBytes, to name: String, in cell: StorageLocation, under master: StorageKey, in files: KeyFiles,
        using random: inout some RandomNumberGenerator
    ) throws(NodeError) {
        try files.write([version] + master.seal(content, in: cell, using: &random), to: name)
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

extension Keyring.GivenKeys {
    fileprivate subscript(secret: Keyring.Secret) -> SecretBytes? {
        switch secret {
        case .root: root
        case .device: device
        case .channel: channel
        }
    }
}
