import Cryptography
import Foundation
import Glibc
import NodeCore
import Testing

@testable import KeyStore

@Suite("The passphrase of a home")
struct PassphraseStories {
    private let horse: Passphrase
    private let battery: Passphrase

    init() throws {
        horse = try #require(Passphrase("correct horse"))
        battery = try #require(Passphrase("battery staple"))
    }

    @Test func `is set, changed and removed, and the keys stay the same`() throws {
        let home = try Dwelling()
        let alice = try home.open()
        let sealed = try home.read("root.sealed")

        try home.set(horse)
        #expect(try home.otherFiles == ["passphrase"])
        #expect(try home.open(horse) == alice)
        try home.set(battery, current: horse)
        #expect(try home.open(battery) == alice)
        try home.expectRefusal(.wrongPassphrase, horse)
        try StoppedHome(home.path).removePassphrase(current: battery)
        #expect(try home.otherFiles == ["key"])
        #expect(try home.open() == alice)
        // Only the small files were written.
        #expect(try home.read("root.sealed") == sealed)
    }

    @Test func `leaves no key in any file as it is`() throws {
        let home = try Dwelling()
        let alice = try home.open()
        #expect(try home.contains(alice.sealing))
        try home.set(horse)
        #expect(try !home.contains(alice.sealing))
        #expect(try home.open(horse) == alice)
    }

    @Test func `is needed, and a wrong one is refused, and nothing is lost`() throws {
        let home = try Dwelling()
        let alice = try home.open(horse)
        try home.expectRefusal(.passphraseNeeded)
        try home.expectRefusal(.wrongPassphrase, battery)
        #expect(throws: NodeError.self) { try home.set(battery) }
        #expect(throws: NodeError.self) { try home.set(battery, current: battery) }
        #expect(throws: NodeError.self) { try StoppedHome(home.path).removePassphrase(current: nil) }
        #expect(throws: NodeError.self) { try StoppedHome(home.path).removePassphrase(current: battery) }
        #expect(try StoppedHome.needsPassphrase(home.path))
        #expect(try home.open(horse) == alice)
    }

    @Test func `is refused where none is set, so that nobody believes in it`() throws {
        let home = try Dwelling()
        try home.open()
        #expect(try !StoppedHome.needsPassphrase(home.path))
        try home.expectRefusal(.invalidOperation, horse)
        let error = #expect(throws: NodeError.self) { try StoppedHome(home.path).removePassphrase(current: nil) }
        #expect(error?.code == .invalidOperation)
    }

    @Test func `is no business of a folder without keys`() throws {
        let home = try Dwelling()
        #expect(try !StoppedHome.needsPassphrase(home.path))
        let error = #expect(throws: NodeError.self) { _ = try StoppedHome(home.path) }
        #expect(error?.code == .invalidOperation)
        #expect(!FileManager.default.fileExists(atPath: home.path))
    }

    /// The user of a home lets a folder of it lead to somebody else's. A folder of their own may be elsewhere.
    private func readsNothingOfOthers(_ home: Dwelling) throws {
        let victim = try Dwelling()
        try victim.open()
        let (keys, own) = (home.path + "/keys", home.path + ".elsewhere")
        try FileManager.default.moveItem(atPath: keys, toPath: own)
        defer {
            unlink(keys)
            try? FileManager.default.moveItem(atPath: own, toPath: keys)
        }
        for (target, isTheirs) in [(victim.path + "/keys", false), (own, true)] {
            unlink(keys)
            try #require(symlink(target, keys) == 0)
            let write = {
                try HomeBackup.write(
                    home.path, database: nil, to: home.path + ".stolen", under: horse, program: "1", cost: .least)
            }
            if isTheirs { _ = try write() } else { #expect(throws: NodeError.self) { try write() } }
            #expect(FileManager.default.fileExists(atPath: home.path + ".stolen") == isTheirs)
        }
    }

    /// What root wrote there, the home's user could not read, and they could let it lead anywhere.
    @Test(.enabled(if: geteuid() == 0))
    func `is not set by root in the home of another user, which root only backs up`() throws {
        let home = try Dwelling()
        try home.open()
        let before = try home.files
        try FileManager.default.removeItem(atPath: home.path + "/lock")
        try Data().write(to: URL(filePath: home.path + "/replica.sqlite"))
        for path in [""] + (try FileManager.default.subpathsOfDirectory(atPath: home.path)) {
            try #require(chown("\(home.path)/\(path)", 65_534, 65_534) == 0)
        }
        for isThere in [false, true] {
            if isThere {
                try Data().write(to: URL(filePath: home.path + "/lock"))
                try #require(chown(home.path + "/lock", 65_534, 65_534) == 0)
            }
            let refused = #expect(throws: NodeError.self) { try home.set(horse) }
            #expect(refused?.code == .permissionDenied)
            #expect(try home.files == before)
        }
        let started = #expect(throws: NodeError.self) { try home.open() }
        #expect(started?.code == .permissionDenied && started?.message.contains("another user") == true)
        let nested = #expect(throws: NodeError.self) { try Dwelling(at: home.path + "/inside").open() }
        #expect(nested?.code == .permissionDenied)
        // The owner of a link can change where it leads.
        let link = home.path + ".link"
        try #require(symlink("/", link) == 0 && lchown(link, 65_534, 65_534) == 0)
        defer { unlink(link) }
        #expect(Home.isForeign(link) && Home.isForeign(link + "/root") && Home.isForeign(link + "/../nothing"))
        #expect(!Home.isForeign("/root/nothing") && !Home.isForeign("nothing/.."))
        #expect(PathOwner.redirecting(link) == .owner(65_534))
        _ = try StoppedHome(home.path)
        try HomeBackup.write(
            home.path, database: nil, to: home.path + ".backup", under: horse, program: "1", cost: .least)
        #expect(try home.files == before)
        try readsNothingOfOthers(home)
        let place = home.path + ".place"
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
        try #require(chown(place, 65_534, 65_534) == 0)
        let restored = #expect(throws: NodeError.self) {
            try HomeBackup.restore(home.path + ".backup", to: place, under: horse)
        }
        #expect(restored?.code == .permissionDenied)
    }

    @Test func `cannot be set while the node runs`() throws {
        let home = try Dwelling()
        var random = SystemRandom()
        let running = try Home(folder: home.path, random: &random)
        let error = #expect(throws: NodeError.self) { try home.set(horse) }
        #expect(error?.code == .homeInUse)
        #expect(error?.hint?.contains("stop it") == true)
        running.lock.release()
        try home.set(horse)
    }

    @Test func `a file of it in which any byte changed is damaged, which is no wrong passphrase`() throws {
        let home = try Dwelling()
        let alice = try home.open(horse)
        let whole = try home.read("passphrase")
        #expect(whole.count == 129)
        for place in whole.indices {
            var damaged = whole
            damaged[place] ^= 0x01
            try home.write(damaged, to: "passphrase")
            try home.expectRefusal(.damagedHome, naming: "passphrase", horse, about: "byte \(place)")
        }
        for damaged in [[], Array(whole.dropLast()), whole + [0]] {
            try home.write(damaged, to: "passphrase")
            try home.expectRefusal(.damagedHome, naming: "passphrase", horse, about: "\(damaged.count) bytes")
        }
        try home.write(whole, to: "passphrase")
        #expect(try home.open(horse) == alice)
    }

    @Test(arguments: [(1, UInt8(0xFF)), (5, 0x7F)])
    func `a file that asks for a cost without bounds is not followed`(place: Int, byte: UInt8) throws {
        let home = try Dwelling()
        try home.open(horse)
        var file = try home.read("passphrase")
        file[place] = byte
        // With the hash that a liar would give it.
        let content = Array(file.dropLast(Digest.byteCount))
        try home.write(content + Digest.hash("moot/1/passphrase", content).bytes, to: "passphrase")
        try home.expectRefusal(.damagedHome, naming: "passphrase", horse)
    }

    @Test func `a cost changed within its bounds opens nothing`() throws {
        let home = try Dwelling()
        try home.open(horse)
        var file = try home.read("passphrase")
        file[4] = 2
        let content = Array(file.dropLast(Digest.byteCount))
        try home.write(content + Digest.hash("moot/1/passphrase", content).bytes, to: "passphrase")
        try home.expectRefusal(.wrongPassphrase, horse)
    }
}

/// Both files are there when a command that sets or removes was killed before its end.
@Suite("A change of the passphrase that was interrupted")
struct InterruptedPassphraseStories {
    private let horse: Passphrase
    private let battery: Passphrase
    private let home: Dwelling
    private let alice: Dwelling.Resident
    private let plain: [UInt8]

    init() throws {
        horse = try #require(Passphrase("correct horse"))
        battery = try #require(Passphrase("battery staple"))
        home = try Dwelling()
        alice = try home.open()
        plain = try home.read("key")
        try home.set(horse)
        try home.write(plain, to: "key")
    }

    @Test func `is undone by a start without the passphrase`() throws {
        #expect(try !StoppedHome.needsPassphrase(home.path))
        #expect(try home.open() == alice)
        #expect(try home.otherFiles == ["key"])
    }

    @Test func `is ended by a start with the passphrase`() throws {
        #expect(try home.open(horse) == alice)
        #expect(try home.otherFiles == ["passphrase"])
    }

    @Test func `is not ended by a wrong passphrase`() throws {
        try home.expectRefusal(.wrongPassphrase, battery)
    }

    @Test(arguments: [0, 1, 20, 48])
    func `is ended with the passphrase where the plain key is damaged`(erased: Int) throws {
        try home.write([UInt8](repeating: 0, count: erased + 1) + plain.dropFirst(erased + 1), to: "key")
        #expect(try StoppedHome.needsPassphrase(home.path))
        try home.expectRefusal(.passphraseNeeded)
        #expect(try home.open(horse) == alice)
        #expect(try home.otherFiles == ["passphrase"])
    }

    @Test func `is undone where the file of the passphrase is damaged`() throws {
        try home.write([UInt8](repeating: 0, count: 129), to: "passphrase")
        #expect(try home.open() == alice)
        #expect(try home.otherFiles == ["key"])
    }

    @Test func `is done again`() throws {
        try home.set(battery)
        #expect(try home.otherFiles == ["passphrase"])
        #expect(try home.open(battery) == alice)
    }

    @Test func `never loses a key to that of another home`() throws {
        let other = try Dwelling()
        try other.open()
        try home.write(try other.read("key"), to: "key")
        try home.expectRefusal(.damagedHome, naming: "root.sealed")
        try home.expectRefusal(.damagedHome, naming: "key", horse)
        try home.remove("key")
        #expect(try home.open(horse) == alice)
    }

    @Test func `is nowhere to be found if both files are damaged`() throws {
        try home.write([], to: "key")
        try home.write([], to: "passphrase")
        try home.expectRefusal(.damagedHome, naming: "key", horse)
    }
}
