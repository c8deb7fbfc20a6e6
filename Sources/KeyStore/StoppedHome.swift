import Cryptography
import NodeCore

/// A home whose node does not run, to change its passphrase. No node can start as long as this value lives.
public struct StoppedHome: Sendable {
    private let folder: String
    private let files: KeyFiles
    private let lock: HomeLock

    /// Takes the lock of a home.
    ///
    /// - Throws: `home_in_use`, `invalid_operation` where no home is, `permission_denied`.
    public init(_ folder: String) throws(NodeError) {
        self.folder = folder
        files = Home.keyFiles(of: folder)
        guard Keyring.exists(in: files) else {
            throw NodeError(
                .invalidOperation, "There are no keys in \(folder)",
                hint: "The first start makes them, behind a passphrase with: moot up --passphrase-file FILE")
        }
        lock = try HomeLock(folder: folder)
    }

    /// Whether the keys cannot be opened without a passphrase.
    ///
    /// - Throws: `damaged_home`, `permission_denied`.
    public var needsPassphrase: Bool {
        get throws(NodeError) { try MasterKey.needsPassphrase(in: files) }
    }

    /// Whether there are keys of a home in a folder.
    public static func isThere(_ folder: String) -> Bool { Keyring.exists(in: Home.keyFiles(of: folder)) }

    /// Whether the key of the user's identity is in the home of a folder.
    public static func holdsRoot(_ folder: String) -> Bool {
        isThere(folder) && Keyring.holdsRoot(in: Home.keyFiles(of: folder))
    }

    /// Refuses what takes the key of the user's identity where the home of a folder has it not.
    ///
    /// - Throws: `invalid_operation`.
    public static func requireRoot(_ folder: String) throws(NodeError) {
        try Keyring.requireRoot(in: Home.keyFiles(of: folder))
    }

    /// Whether a home in a folder was restored without the root: its host can become a device of its user.
    public static func awaitsLink(_ folder: String) -> Bool {
        isThere(folder) && !holdsRoot(folder) && Home.isNewDevice(folder)
    }

    /// Whether the keys of a home, if there is one, cannot be opened without a passphrase.
    ///
    /// - Throws: `damaged_home`, `permission_denied`.
    public static func needsPassphrase(_ folder: String) throws(NodeError) -> Bool {
        try MasterKey.needsPassphrase(in: Home.keyFiles(of: folder))
    }

    /// Sets the passphrase, or changes it. Only one small file is written anew; it is on the disk when this returns.
    ///
    /// - Parameters:
    ///   - passphrase: The new one.
    ///   - current: The one that is set.
    ///   - cost: What a guess will cost.
    /// - Throws: `passphrase_needed`, `wrong_passphrase`, `damaged_home`, `disk_full`, `permission_denied`,
    ///   `invalid_operation` for a current passphrase where none is set, `bad_configuration` without memory for it.
    /// - Complexity: as the cost says, once for each passphrase.
    public func setPassphrase(
        _ passphrase: Passphrase, current: Passphrase?, cost: PassphraseKey.Cost = .moderate
    ) throws(NodeError) {
        try Home.requireOwn(folder)
        var random = SystemRandom()
        _ = try open(current, using: &random).master.setPassphrase(passphrase, cost: cost, using: &random)
    }

    /// Takes the passphrase away; from then on only the permissions of the file system guard the keys.
    ///
    /// - Throws: as ``setPassphrase(_:current:cost:)``, and `invalid_operation` where none is set.
    /// - Complexity: as the cost of the passphrase says.
    public func removePassphrase(current: Passphrase?) throws(NodeError) {
        try Home.requireOwn(folder)
        var random = SystemRandom()
        let master = try open(current, using: &random).master
        guard master.protection == .passphrase else {
            throw NodeError(
                .invalidOperation, "This home has no passphrase", hint: "Set one with: moot passphrase set")
        }
        _ = try master.removePassphrase()
    }

    private func open(
        _ current: Passphrase?, using random: inout some RandomNumberGenerator
    ) throws(NodeError) -> Keyring {
        try Keyring(
            in: files, isInUse: Home.isInUse(folder), isNewDevice: Home.isNewDevice(folder), passphrase: current,
            cost: .moderate, using: &random)
    }
}
