import Cryptography
import Foundation
import Glibc
import NodeCore
import OperationLog

/// The folder of a node: its lock, its keys and its database.
package struct Home: Sendable {
    /// The folder, with mode 0700.
    package let folder: String
    /// Held as long as the node lives.
    package let lock: HomeLock
    /// Its secrets and what guards them.
    package let keyring: Keyring

    /// Opens a node's folder, making it and its keys at first start.
    ///
    /// - Parameters:
    ///   - folder: Where it is.
    ///   - passphrase: What guards its keys; a home that is made gets this one.
    ///   - cost: What a guess costs where the home is made.
    ///   - given: The keys that a home is made with; nil for every other home.
    ///   - random: Where new keys and nonces come from.
    /// - Throws: `home_in_use`, `permission_denied`, `damaged_home`, `disk_full`, `passphrase_needed`,
    ///   `wrong_passphrase`, `invalid_operation` for a passphrase that guards nothing, `bad_configuration` without
    ///   memory for it.
    /// - Complexity: as the passphrase's cost says.
    package init(
        folder: String, passphrase: Passphrase? = nil, cost: PassphraseKey.Cost = .moderate,
        given: Keyring.GivenKeys? = nil, random: inout some RandomNumberGenerator
    ) throws(NodeError) {
        self.folder = folder
        try Self.makeFolder(folder)
        if let system = NetworkFileSystem(of: folder) { throw system.refusal(of: folder) }
        lock = try HomeLock(folder: folder)
        let files = Self.keyFiles(of: folder)
        try Self.makeFolder(files.folder)
        keyring = try Keyring(
            in: files, isInUse: Self.isInUse(folder), isNewDevice: Self.isNewDevice(folder), passphrase: passphrase,
            cost: cost, given: given, using: &random)
    }

    /// The seed of the user's root, unsealed anew.
    ///
    /// - Throws: `passphrase_needed`, `wrong_passphrase`, `invalid_operation` where another device holds the root,
    ///   `damaged_home`, `permission_denied`, `bad_configuration` without memory for the passphrase.
    /// - Complexity: as the passphrase's cost says.
    package func unsealedRoot(with passphrase: Passphrase?) throws(NodeError) -> SecretBytes {
        try Keyring.root(in: Self.keyFiles(of: folder), passphrase: passphrase)
    }

    /// What names the node forever.
    package var keys: NodeCore.Keys { keyring.keys }

    /// The key under which secrets are stored in the home; a ``StorageLocation`` says for each where.
    package var sealing: StorageKey { keyring.master.key }

    /// Whether nobody can open the home with its files alone.
    package var isPassphraseProtected: Bool { keyring.master.protection == .passphrase }

    /// The files of the keys of a home.
    static func keyFiles(of folder: String) -> KeyFiles { KeyFiles(home: folder) }

    /// Whether a database was made for the keys of a home.
    static func isInUse(_ folder: String) -> Bool { keyFiles(of: folder).has(markName) }

    /// Where the database is.
    package var database: String { Self.database(of: folder) }

    private static func database(of folder: String) -> String { folder + "/replica.sqlite" }

    /// Whether there is a database in a folder.
    static func hasDatabase(_ folder: String) -> Bool { FileManager.default.fileExists(atPath: database(of: folder)) }

    /// Next to the keys, so that it is lost with them: says that a database was made for them.
    private static let markName = "used"

    /// Refuses keys whose database is gone: the device would write its chains a second time from the beginning, which
    /// is a fork.
    ///
    /// An old copy of the database is not recognized.
    ///
    /// - Throws: `damaged_home`.
    package func requireDatabase() throws(NodeError) {
        guard Self.isInUse(folder), !Self.hasDatabase(folder) else { return }
        throw NodeError(
            .damagedHome, "The database \(database) is gone, but the keys that wrote it are here",
            hint: "Put the database back, or start with another --home as somebody new: "
                + "a device that forgot what it wrote would contradict itself.")
    }

    /// Refuses a home that was restored without the root: nobody has made its host a device of the user.
    ///
    /// - Throws: `not_certified`.
    package func requireRootOfNewDevice() throws(NodeError) {
        guard isNewDevice, keys.root == nil else { return }
        throw NodeError(
            .notCertified, "This home was restored without your identity's key, so this host is no device of yours yet",
            hint: "Make it one with 'moot link' here, and 'moot devices add' on the device that holds the key.")
    }

    /// Remembers that the keys have a database.
    ///
    /// - Throws: `disk_full`, `permission_denied`.
    package func markInUse() throws(NodeError) {
        guard !Self.isInUse(folder) else { return }
        try Self.keyFiles(of: folder).write([], to: Self.markName)
    }

    /// Next to the keys of a home that was restored or recovered, until its device is one of its user's.
    static let newDeviceName = "new-device"

    /// Whether the home was made anew for a user who has devices already, and its own is none of them yet.
    package var isNewDevice: Bool { Self.isNewDevice(folder) }

    static func isNewDevice(_ folder: String) -> Bool { keyFiles(of: folder).has(newDeviceName) }

    /// Whether such a home's device becomes one of its user's although nobody has shown yet which they have: they said
    /// so.
    package var isToldToBegin: Bool {
        (try? Self.keyFiles(of: folder).read(Self.newDeviceName, atMost: 1)) == [Self.toldToBegin]
    }

    private static let toldToBegin: UInt8 = 1

    /// Notes that a home is made for a new device.
    ///
    /// - Parameter beginsAtOnce: whether it does not wait for anybody.
    /// - Throws: `disk_full`, `permission_denied`.
    static func markNewDevice(in files: KeyFiles, beginsAtOnce: Bool = false) throws(NodeError) {
        try files.write(beginsAtOnce ? [toldToBegin] : [], to: newDeviceName)
    }

    /// The device whose home was restored, as it was noted at the first start.
    package var formerDevice: DeviceID? {
        let mark = try? Self.keyFiles(of: folder).read(Self.newDeviceName, atMost: 1 + Digest.byteCount)
        return mark.flatMap { Digest(bytes: Array($0.dropFirst())) }.map { DeviceID(digest: $0) }
    }

    /// Notes which device's home was restored, before others show what that device became since.
    ///
    /// - Throws: `disk_full`, `permission_denied`.
    package func note(formerDevice: DeviceID) throws(NodeError) {
        guard self.formerDevice != formerDevice else { return }
        let flag = isToldToBegin ? Self.toldToBegin : 0
        try Self.keyFiles(of: folder).write([flag] + formerDevice.digest.bytes, to: Self.newDeviceName)
    }

    /// Remembers that the device is one of its user's now. Where that fails, the next start does.
    package func markCertified() { try? Self.keyFiles(of: folder).erase(Self.newDeviceName) }

    /// Keeps the user's root, which was handed over to this device.
    ///
    /// - Throws: `disk_full`, `permission_denied`.
    package func take(root: SecretBytes) throws(NodeError) {
        try keyring.take(root: root, in: Self.keyFiles(of: folder))
    }

    /// Next to the keys while another host becomes a device: its id.
    private static let linkingName = "linking"

    /// The device whose linking had begun and not ended.
    package var linking: DeviceID? {
        let files = Self.keyFiles(of: folder)
        guard let bytes = try? files.read(Self.linkingName, atMost: Digest.byteCount) else { return nil }
        return Digest(bytes: bytes).map { DeviceID(digest: $0) }
    }

    /// Remembers which host becomes a device, or that none does any more.
    ///
    /// - Throws: `disk_full`, `permission_denied`.
    package func noteLinking(_ device: DeviceID?) throws(NodeError) {
        let files = Self.keyFiles(of: folder)
        if let device {
            try files.write(device.digest.bytes, to: Self.linkingName)
        } else {
            try files.erase(Self.linkingName)
        }
    }

    /// Makes a folder that only its owner can enter, and checks that nobody else decides what is there, now or later.
    ///
    /// - Throws: `permission_denied`, `disk_full`.
    package static func makeFolder(_ path: String) throws(NodeError) {
        try requireOwn(path)
        var made = ""
        for part in path.split(separator: "/") {
            made += "/" + part
            guard mkdir(made, 0o700) != 0, errno != EEXIST else { continue }
            let reason = errno
            // Above the home there may be folders that one may pass through and not write to.
            guard access(made, F_OK) != 0 else { continue }
            throw refusal(of: made, because: reason, otherwise: "The folder \(made) cannot be made")
        }
        // In a folder such as /tmp somebody else may have made one or a link meanwhile.
        try requireOwn(path)
        guard chmod(path, 0o700) == 0 else {
            throw refusal(of: path, because: errno, otherwise: "The folder \(path) cannot be made private")
        }
    }

    /// Whether a home is another user's, or another user could lead its own elsewhere on the way to it.
    static func isForeign(_ path: String) -> Bool { other(decidingAbout: path) != nil }

    private static func other(decidingAbout path: String) -> PathOwner.Other? {
        if let other = PathOwner.redirecting(path) { return other }
        var place = stat()
        return stat(path, &place) == 0 && place.st_uid != geteuid() ? .owner(place.st_uid) : nil
    }

    /// Whether an opened file may be read as a part of a home. If the home belongs to another user, the file must be
    /// that user's. If others may write to a folder above the home, the file must belong to the user who reads it, and
    /// root reads nothing.
    package static func mayRead(_ file: Int32, asOneOf home: String) -> Bool {
        var opened = stat()
        guard let other = other(decidingAbout: home) else { return true }
        guard fstat(file, &opened) == 0 else { return false }
        return switch other {
        case .owner(let owner): opened.st_uid == owner
        case .writer: geteuid() != 0 && opened.st_uid == geteuid()
        }
    }

    /// Refuses to write where another user decides what is there: they could not read what root wrote, and could let it
    /// lead elsewhere.
    ///
    /// - Throws: `permission_denied`.
    package static func requireOwn(_ path: String) throws(NodeError) {
        switch other(decidingAbout: path) {
        case nil: break
        case .owner:
            throw NodeError(
                .permissionDenied, "The folder \(path) belongs to another user",
                hint: "Ask as that user, or choose another folder. "
                    + "For a service see operations.md, 'A node without a login'.")
        case .writer(let folder):
            throw NodeError(
                .permissionDenied,
                "Others may write to \(folder), so they could put something else in the place of \(path)",
                hint: "Choose another folder, or let nobody else write there: chmod go-w \(folder)")
        }
    }

    /// What to throw where a folder cannot be made, or not be made private.
    static func refusal(of path: String, because reason: Int32, otherwise sentence: String) -> NodeError {
        switch reason {
        case EROFS:
            NodeError(
                .permissionDenied, "The file system of \(path) is read-only",
                hint: "Mount it so that it can be written to, or choose another folder with --home.")
        case ENOSPC, EDQUOT:
            NodeError(
                .diskFull, "The folder \(path) cannot be made: \(String(cString: strerror(reason)))",
                hint: "Free some space, or choose another folder with --home.")
        case EPERM: NodeError(.permissionDenied, sentence, hint: "Choose another folder with --home.")
        default:
            NodeError(
                .permissionDenied, "The folder \(path) cannot be used: \(String(cString: strerror(reason)))",
                hint: "Choose another folder with --home.")
        }
    }
}
