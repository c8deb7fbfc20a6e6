import Cryptography
import Foundation
import NodeCore
import OperationLog
import Testing

@testable import KeyStore

@Suite("Backups of a home")
struct BackupTests {
    private let scratch: Scratch
    private let home: Dwelling
    private let passphrase: Passphrase
    private let backup: String
    private let blob = String(repeating: "ab", count: 32)

    init() throws {
        scratch = try Scratch()
        home = try Dwelling()
        passphrase = try #require(Passphrase("correct horse"))
        backup = scratch.path + "/moot.backup"
        try home.open()
        // More than one piece, and no multiple of it.
        try Data((0..<200_001).map { UInt8(truncatingIfNeeded: $0 &* 7) }).write(to: file("replica.sqlite"))
        try FileManager.default.createDirectory(atPath: home.path + "/blobs", withIntermediateDirectories: true)
        try Data("a file".utf8).write(to: file("blobs/\(blob)"))
        try Data("on its way".utf8).write(to: file("blobs/\(blob).part"))
    }

    private func file(_ name: String) -> URL { URL(filePath: "\(home.path)/\(name)") }

    @discardableResult
    private func write(database: String? = nil) throws(NodeError) -> BackupContents {
        try HomeBackup.write(
            home.path, database: database, to: backup, under: passphrase, program: "1.2.3", cost: .least)
    }

    private func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path))) }

    @Test func `a restored home has the same root, database and files`() throws {
        let contents = try write()
        #expect(contents.program == "1.2.3")
        #expect(try HomeBackup.verify(backup, under: passphrase) == contents)
        let restored = scratch.path + "/restored"
        #expect(try HomeBackup.restore(backup, to: restored, under: passphrase) == contents)
        for name in ["keys/root.sealed", "keys/key", "keys/used", "replica.sqlite", "blobs/\(blob)"] {
            #expect(try bytes("\(restored)/\(name)") == bytes("\(home.path)/\(name)"), "\(name)")
        }
        #expect(!FileManager.default.fileExists(atPath: "\(restored)/blobs/\(blob).part"))
        let permissions = try FileManager.default.attributesOfItem(atPath: restored + "/keys/key")[.posixPermissions]
        #expect(permissions as? Int == 0o600)
    }

    @Test func `an empty folder behind a link takes a restored home, and the link stays`() throws {
        try write()
        let (place, link) = (scratch.path + "/private/restored", scratch.path + "/restored")
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "private/restored")
        try HomeBackup.restore(backup, to: link, under: passphrase)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "private/restored")
        #expect(try bytes(place + "/keys/key") == bytes(home.path + "/keys/key"))
        let error = #expect(throws: NodeError.self) { try HomeBackup.restore(backup, to: link, under: passphrase) }
        #expect(error?.code == .homeInUse, "a home that is there is not overwritten")
    }

    @Test func `a restored home is a new device of the same user, until it is certified`() throws {
        let alice = try home.open()
        try write()
        let restored = scratch.path + "/restored"
        try HomeBackup.restore(backup, to: restored, under: passphrase)
        for name in ["device.sealed", "channel.sealed"] {
            #expect(!FileManager.default.fileExists(atPath: "\(restored)/keys/\(name)"), "\(name)")
        }
        var random = SystemRandom()
        let device = try {
            let opened = try Home(folder: restored, random: &random)
            #expect(opened.isNewDevice)
            #expect(opened.keys.root?.verifyingKey == alice.root)
            return opened.keys.author.device.key
        }()
        #expect(device != alice.device)
        let again = try Home(folder: restored, random: &random)
        #expect(again.keys.author.device.key == device)
        again.markCertified()
        #expect(!again.isNewDevice)
    }

    @Test func `a home that was restored without the root is opened once its host is linked`() throws {
        var random = SystemRandom()
        let user = UserID(SigningKey.generate(using: &random).verifyingKey)
        let linked = { () throws(NodeError) in
            Keyring.GivenKeys.linked(
                user: user, device: SecretBytes(count: 32, using: &random),
                channel: SecretBytes(count: 32, using: &random))
        }
        let laptop = try Dwelling()
        try Home(folder: laptop.path, cost: .least, given: linked(), random: &random).markInUse()
        try Data("a database".utf8).write(to: URL(filePath: "\(laptop.path)/replica.sqlite"))
        try HomeBackup.write(laptop.path, database: nil, to: backup, under: passphrase, program: "", cost: .least)
        let restored = scratch.path + "/restored"
        try HomeBackup.restore(backup, to: restored, under: passphrase)
        #expect(StoppedHome.awaitsLink(restored))
        #expect(!StoppedHome.awaitsLink(laptop.path))
        #expect(!StoppedHome.awaitsLink(home.path))

        // A start before that is refused, and draws keys that are then replaced.
        let early = #expect(throws: NodeError.self) {
            try Home(folder: restored, cost: .least, random: &random).requireRootOfNewDevice()
        }
        #expect(early?.code == .notCertified)
        let stranger = Keyring.GivenKeys.linked(
            user: UserID(SigningKey.generate(using: &random).verifyingKey),
            device: SecretBytes(count: 32, using: &random), channel: SecretBytes(count: 32, using: &random))
        let wrong = #expect(throws: NodeError.self) {
            try Home(folder: restored, cost: .least, given: stranger, random: &random)
        }
        #expect(wrong?.code == .wrongPerson)
        let given = try linked()
        let opened = try Home(folder: restored, cost: .least, given: given, random: &random)
        #expect(opened.keys.author.device.key == SigningKey(seed: try #require(given.device))?.verifyingKey)
        #expect(opened.keys.author.device.user == user)
        opened.markCertified()
        try opened.requireRootOfNewDevice()
    }

    @Test func `every byte counts: whatever is changed or cut off is noticed, and nothing is restored`() throws {
        try write()
        let whole = try bytes(backup)
        // Each byte of the head, and some of each piece.
        let places = Array(0..<BackupHead.byteCount) + stride(from: BackupHead.byteCount, to: whole.count, by: 9_973)
        for place in places {
            var changed = whole
            changed[place] ^= 1
            // A cost that is allowed but enormous would only take long.
            guard
                (try? BackupHead(Array(changed.prefix(BackupHead.byteCount))))?.passphraseKey.cost.kibibytes ?? 0 < 1
                    << 12
            else { continue }
            try Data(changed).write(to: URL(filePath: backup))
            #expect(throws: NodeError.self, "byte \(place)") { try HomeBackup.verify(backup, under: passphrase) }
        }
        for length in [0, 5, BackupHead.byteCount, BackupHead.byteCount + 10, whole.count / 2, whole.count - 1] {
            try Data(whole.prefix(length)).write(to: URL(filePath: backup))
            let restored = scratch.path + "/cut"
            #expect(throws: NodeError.self, "\(length) bytes") {
                try HomeBackup.restore(backup, to: restored, under: passphrase)
            }
            #expect(!FileManager.default.fileExists(atPath: restored))
            let left = try FileManager.default.contentsOfDirectory(atPath: scratch.path)
            #expect(!left.contains { $0.contains("restoring") }, "\(left)")
        }
        try Data(whole + [0]).write(to: URL(filePath: backup))
        #expect(throws: NodeError.self) { try HomeBackup.verify(backup, under: passphrase) }
    }

    @Test func `each refusal has its code`() throws {
        try write()
        func code(_ work: () throws -> Void) -> NodeError.Code? {
            #expect(throws: NodeError.self, performing: work)?.code
        }
        let other = try #require(Passphrase("wrong horse"))
        #expect(code { try HomeBackup.verify(backup, under: other) } == .wrongPassphrase)
        #expect(code { try HomeBackup.verify(scratch.path + "/none", under: passphrase) } == .fileNotFound)
        #expect(code { try HomeBackup.restore(backup, to: home.path, under: passphrase) } == .homeInUse)
        var newer = try bytes(backup)
        newer[10] = 2
        try Data(newer).write(to: URL(filePath: backup))
        #expect(code { try HomeBackup.verify(backup, under: passphrase) } == .newerDatabase)
        try Data("no backup at all".utf8).write(to: URL(filePath: backup))
        #expect(code { try HomeBackup.verify(backup, under: passphrase) } == .damagedBackup)
        #expect(
            code {
                try HomeBackup.write(
                    scratch.path + "/nothing", database: nil, to: backup, under: passphrase, program: "", cost: .least)
            } == .invalidOperation)
    }

    @Test func `a backup that fails leaves the one before as it was`() throws {
        try write()
        let before = try bytes(backup)
        #expect(throws: NodeError.self) { try write(database: "/dev/null/none") }
        #expect(try bytes(backup) == before)
        #expect(!FileManager.default.fileExists(atPath: backup + ".part"))
    }

    @Test func `what lies where a backup is to be written is taken only if it is a file of this user`() throws {
        let part = backup + ".part"
        #expect(mkfifo(part, 0o666) == 0)
        let error = #expect(throws: NodeError.self) { try write() }
        #expect(error?.code == .permissionDenied)
        try FileManager.default.removeItem(atPath: part)
        // Left by a backup that was killed, in a folder where others may have changed it.
        try Data("left".utf8).write(to: URL(filePath: part))
        #expect(chmod(part, 0o666) == 0)
        try write()
        #expect(try FileManager.default.attributesOfItem(atPath: backup)[.posixPermissions] as? Int == 0o600)
        try HomeBackup.verify(backup, under: passphrase)
        guard geteuid() == 0 else { return }
        try Data().write(to: URL(filePath: part))
        #expect(chown(part, 65_534, 65_534) == 0)
        let foreign = #expect(throws: NodeError.self) { try write() }
        #expect(foreign?.code == .permissionDenied)
    }

    @Test func `two backups to one file do not mix, and a file that goes meanwhile fails none`() throws {
        try write()
        let before = try bytes(backup)
        let other = try BackupWriter(to: backup, under: passphrase, cost: .least)
        let error = #expect(throws: NodeError.self) { try write() }
        #expect(error?.code == .invalidOperation)
        let after = try bytes(backup)
        withExtendedLifetime(other) { #expect(after == before) }

        var isFirst = true
        try HomeBackup.write(
            home.path, database: nil, to: scratch.path + "/second", under: passphrase, program: "", cost: .least
        ) { _, _ in
            guard isFirst else { return }
            isFirst = false
            try? FileManager.default.removeItem(at: file("blobs/\(blob)"))
        }
        #expect(!isFirst)
        try HomeBackup.verify(scratch.path + "/second", under: passphrase)
    }

    @Test func `a backup is private, and has no secret or name of a file in the clear`() throws {
        try write()
        let permissions = try FileManager.default.attributesOfItem(atPath: backup)[.posixPermissions]
        #expect(permissions as? Int == 0o600)
        let data = Data(try bytes(backup))
        #expect(data.range(of: Data(try home.read("key"))) == nil)
        #expect(data.range(of: Data("replica".utf8)) == nil)
    }

    @Test(
        arguments: [
            "", "keys", "keys/", "keys/../root", "keys/.ssh", "keys/a/b", "/etc/passwd", "../keys/root", "keys/Root",
            "keys/root.sealed.new", "blobs/x", "blobs/../../x", "replica.sqlite-shm", "lock", "keys/\u{0}",
        ])
    func `no other file can be named`(name: String) {
        #expect(BackupEntry(name) == nil)
    }
}
