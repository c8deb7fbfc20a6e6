import Cryptography
import Foundation
import NodeCore
import OperationLog
import Testing

@testable import KeyStore

@Suite("The keys of a home")
struct KeyringTests {
    @Test func `the first start makes sealed keys, and every other finds them`() throws {
        let home = try Dwelling()
        let alice = try home.open()
        #expect(try home.otherFiles == ["key"])
        #expect(try home.files.keys.contains("root.sealed"))
        #expect(try home.open() == alice)
        for name in try home.files.keys {
            let mode = try FileManager.default.attributesOfItem(atPath: "\(home.path)/keys/\(name)")[.posixPermissions]
            #expect(mode as? Int == 0o600, "\(name)")
        }
    }

    @Test func `a first start with a passphrase never has the key as it is`() throws {
        let home = try Dwelling()
        let passphrase = try #require(Passphrase("correct horse"))
        let alice = try home.open(passphrase)
        #expect(try home.otherFiles == ["passphrase"])
        #expect(try home.open(passphrase) == alice)
        try home.expectRefusal(.passphraseNeeded)
    }

    @Test func `links in the place of files to be written go, and what they lead to stays`() throws {
        let home = try Dwelling()
        let alice = try home.open()
        let scratch = try Scratch()
        let other = scratch.file("other")
        let bytes = Data(repeating: 7, count: 64)
        try bytes.write(to: URL(filePath: other))
        func plant(_ name: String, leadingTo target: String) throws {
            try FileManager.default.createSymbolicLink(
                atPath: "\(home.path)/keys/\(name)", withDestinationPath: target)
        }
        try plant("key.new", leadingTo: other)
        try plant("passphrase.new", leadingTo: scratch.file("nothing"))
        let passphrase = try #require(Passphrase("correct horse"))
        try home.set(passphrase)
        #expect(try home.otherFiles == ["passphrase"])
        #expect(try home.open(passphrase) == alice)
        #expect(try Data(contentsOf: URL(filePath: other)) == bytes)
        #expect(!FileManager.default.fileExists(atPath: scratch.file("nothing")))
    }

    @Test func `a key file that is a link is not read, and the lock of a home is never one`() throws {
        let (home, other) = (try Dwelling(), try Dwelling())
        try home.open()
        try other.open()
        try home.remove("key")
        try FileManager.default.createSymbolicLink(
            atPath: "\(home.path)/keys/key", withDestinationPath: "\(other.path)/keys/key")
        try home.expectRefusal(.damagedHome, naming: "key")

        let lock = other.path + "/lock"
        try FileManager.default.removeItem(atPath: lock)
        let victim = home.path + "/victim"
        try Data([1, 2, 3]).write(to: URL(filePath: victim))
        try FileManager.default.createSymbolicLink(atPath: lock, withDestinationPath: victim)
        let error = #expect(throws: NodeError.self) { try other.open() }
        #expect(error?.code == .permissionDenied)
        #expect(try Data(contentsOf: URL(filePath: victim)) == Data([1, 2, 3]))
    }

    @Test(arguments: ["root.sealed", "device.sealed", "channel.sealed", "key"])
    func `no byte of a file can change unnoticed, and the file is named`(name: String) throws {
        let home = try Dwelling()
        let alice = try home.open()
        let whole = try home.read(name)
        for place in whole.indices {
            var damaged = whole
            damaged[place] ^= 0x10
            try home.write(damaged, to: name)
            try home.expectRefusal(.damagedHome, naming: name, about: "byte \(place)")
        }
        for damaged in [[], Array(whole.dropLast()), whole + [0], [UInt8](repeating: 0, count: whole.count)] {
            try home.write(damaged, to: name)
            try home.expectRefusal(.damagedHome, naming: name, about: "\(damaged.count) bytes")
        }
        try home.write(whole, to: name)
        #expect(try home.open() == alice)
    }

    @Test(arguments: ["root.sealed", "device.sealed", "channel.sealed", "key"])
    func `a file that is gone is not made anew`(name: String) throws {
        let home = try Dwelling()
        let alice = try home.open()
        let whole = try home.read(name)
        try home.remove(name)
        try home.expectRefusal(.damagedHome, naming: name)
        try home.write(whole, to: name)
        #expect(try home.open() == alice)
    }

    @Test(arguments: [("root", "device"), ("device", "channel")])
    func `a sealed secret cannot take the place of another`(one: String, two: String) throws {
        let home = try Dwelling()
        try home.open()
        try home.write(try home.read(one + ".sealed"), to: two + ".sealed")
        try home.expectRefusal(.damagedHome, naming: two + ".sealed")
    }

    @Test func `secrets of another home do not open`() throws {
        let (home, other) = (try Dwelling(), try Dwelling())
        try home.open()
        try other.open()
        try home.write(try other.read("root.sealed"), to: "root.sealed")
        try home.expectRefusal(.damagedHome, naming: "root.sealed")
    }

    @Test(arguments: ["key.new", "passphrase.new", "root.sealed.new"])
    func `what was being written when power was lost is erased`(name: String) throws {
        let home = try Dwelling()
        let alice = try home.open()
        try home.write([UInt8](repeating: 9, count: 20), to: name)
        #expect(try home.open() == alice)
        #expect(try home.otherFiles == ["key"])
    }

    @Test(arguments: 0...3)
    func `an interrupted first start is ended by the next`(made: Int) throws {
        let home = try Dwelling()
        let passphrase = try #require(Passphrase("correct horse"))
        let alice = try home.open(passphrase)
        for name in Dwelling.secretNames.dropFirst(made) { try home.remove(name + ".sealed") }
        try home.remove("used")
        let again = try home.open(passphrase)
        #expect(again.sealing == alice.sealing)
        #expect((again.root == alice.root) == (made > 0))
        #expect(try home.open(passphrase) == again)
    }

    // MARK: - Devices whose root is elsewhere

    /// A home of a device that another one certified.
    private func linked() throws -> (home: Dwelling, user: UserID) {
        let home = try Dwelling()
        var random = SystemRandom()
        let user = UserID(SigningKey.generate(using: &random).verifyingKey)
        let made = try Home(
            folder: home.path, cost: .least,
            given: .linked(
                user: user, device: SecretBytes(count: 32, using: &random),
                channel: SecretBytes(count: 32, using: &random)), random: &random)
        try made.markInUse()
        return (home, user)
    }

    @Test func `a linked home has no root, and is its user's at every start`() throws {
        let (home, user) = try linked()
        #expect(try !home.files.keys.contains("root.sealed"))
        let first = try home.open()
        #expect(first.root == nil)
        #expect(try home.open() == first)
        var random = SystemRandom()
        #expect(try Home(folder: home.path, cost: .least, random: &random).keys.author.device.user == user)
        #expect(try !home.files.keys.contains("root.sealed"))
    }

    @Test func `a linked home whose user was changed or is gone is not opened`() throws {
        let (home, _) = try linked()
        let whole = try home.read("user.sealed")
        for place in whole.indices {
            var damaged = whole
            damaged[place] ^= 1
            try home.write(damaged, to: "user.sealed")
            try home.expectRefusal(.damagedHome, naming: "user.sealed")
        }
        try home.remove("user.sealed")
        try home.expectRefusal(.damagedHome, naming: "root.sealed")
    }
}
