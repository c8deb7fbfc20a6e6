import Foundation
import NodeCore
import Testing

@testable import KeyStore

@Suite("Who holds the lock of a home")
struct LockHolderTests {
    /// A folder with a file of the lock.
    private struct Place {
        let scratch: Scratch
        var path: String { scratch.path }
        var file: String { scratch.path + "/lock" }

        init(_ text: String) throws {
            scratch = try Scratch()
            try Data(text.utf8).write(to: URL(filePath: file))
            #expect(chmod(file, 0o600) == 0)
        }
    }

    @Test func `is the process, with the socket once it is known, until it lets go`() throws {
        let scratch = try Scratch()
        #expect(LockHolder(ofHome: scratch.path) == nil)
        let lock = try HomeLock(folder: scratch.path)
        let before = try #require(LockHolder(ofHome: scratch.path))
        #expect(before.process == getpid() && before.socket == nil && before.isRunning)
        lock.note(socket: "/run/user/1000/moot/moot.sock")
        #expect(LockHolder(ofHome: scratch.path)?.socket == "/run/user/1000/moot/moot.sock")
        lock.release()
        #expect(LockHolder(ofHome: scratch.path) == nil)
    }

    @Test(.enabled(if: geteuid() == 0))
    func `of another user's home is taken in a file of theirs alone`() throws {
        let place = try Place("worth keeping")
        try #require(chown(place.path, 4_001, 4_001) == 0)
        let refused = #expect(throws: NodeError.self) { try HomeLock(folder: place.path) }
        #expect(refused?.code == .permissionDenied)
        #expect(try String(contentsOfFile: place.file, encoding: .utf8) == "worth keeping")
        try #require(chown(place.file, 4_001, 4_001) == 0)
        let lock = try HomeLock(folder: place.path)
        #expect(try String(contentsOfFile: place.file, encoding: .utf8).contains("\(getpid())"))
        lock.release()
    }

    @Test func `has the lock only while the kernel says so, whatever the file says`() throws {
        let scratch = try Scratch()
        #expect(LockHolder.hold(ofHome: scratch.path) == .free)
        let lock = try HomeLock(folder: scratch.path)
        // As a node that is about to start, or whoever changes the passphrase of a home.
        let unready = try #require(LockHolder(ofHome: scratch.path))
        #expect(LockHolder.hold(ofHome: scratch.path) == .unready(unready))
        try Data().write(to: URL(filePath: scratch.path + "/lock"))
        #expect(LockHolder.hold(ofHome: scratch.path) == .unready(nil))
        lock.note(socket: "/run/user/1000/moot/moot.sock")
        let holder = try #require(LockHolder(ofHome: scratch.path))
        #expect(LockHolder.hold(ofHome: scratch.path) == .node(holder))
        lock.release()
        // As a node leaves it that was killed.
        try Data("\(getpid())\n/run/user/1000/moot/moot.sock\n".utf8).write(to: URL(filePath: scratch.path + "/lock"))
        #expect(LockHolder.hold(ofHome: scratch.path) == .free)
        #expect(LockHolder.hold(ofHome: scratch.path + "/nowhere") == .free)
    }

    @Test func `is not taken for another process that has its number here`() throws {
        let scratch = try Scratch()
        let lock = try HomeLock(folder: scratch.path)
        try withExtendedLifetime(lock) {
            // As a node in a container writes it: the number means another process here, which runs and has nothing to
            // do with it.
            try Data("\(getppid())\n/run/moot.sock\n".utf8).write(to: URL(filePath: scratch.path + "/lock"))
            let holder = try #require(LockHolder(ofHome: scratch.path))
            #expect(LockHolder.hold(ofHome: scratch.path) == .unseen(holder))
        }
    }

    @Test(arguments: [
        ("1: FLOCK  ADVISORY  WRITE 7 fe:00:42 0 EOF\n", true), ("9: POSIX  ADVISORY  WRITE 7 fe:00:42 0 EOF\n", false),
        ("1: FLOCK  ADVISORY  WRITE 8 fe:00:42 0 EOF\n", false),
        ("1: FLOCK  ADVISORY  WRITE 7 fe:00:43 0 EOF\n", false),
        ("1: FLOCK  ADVISORY  WRITE 8 fe:00:42 0 EOF\n1: -> FLOCK  ADVISORY  WRITE 7 fe:00:42 0 EOF\n", false),
        ("2: FLOCK  ADVISORY  READ  1 00:2a:1 0 EOF\n3: FLOCK  ADVISORY  WRITE 7 fe:00:42 0 EOF\n", true), ("", false),
        ("1: FLOCK\n", false),
    ])
    func `is found in the table of locks`(table: String, isThere: Bool) throws {
        let place = try Place("7\n/a\n")
        let holder = try withExtendedLifetime(place) { try #require(LockHolder(ofHome: place.path)) }
        #expect(holder.isAmong(table, ofFile: 42) == isThere)
    }

    @Test func `is named to who wants the lock as well`() throws {
        let scratch = try Scratch()
        let lock = try HomeLock(folder: scratch.path)
        lock.note(socket: "/12345/moot.sock")
        do {
            _ = try HomeLock(folder: scratch.path)
            Issue.record("there are two")
        } catch {
            #expect(error.code == .homeInUse && error.message.hasSuffix("(process \(getpid()))"), "\(error.message)")
        }
    }

    @Test(arguments: ["", "\n", "x\n/a\n", "-1\n/a\n", "99999999999\n/a\n", "/a\n"])
    func `is nobody where the file names no process`(text: String) throws {
        let place = try Place(text)
        withExtendedLifetime(place) { #expect(LockHolder(ofHome: place.path) == nil) }
    }

    @Test(arguments: ["7\n", "7", "7\nmoot.sock\n", "7\n\n"])
    func `listens nowhere without a path`(text: String) throws {
        let place = try Place(text)
        let holder = try withExtendedLifetime(place) { try #require(LockHolder(ofHome: place.path)) }
        #expect(holder.process == 7 && holder.socket == nil && holder.privateSocket == nil)
    }

    @Test func `is not believed where others can write the file`() throws {
        let place = try Place("7\n/a\n")
        #expect(LockHolder(ofHome: place.path) != nil)
        #expect(chmod(place.file, 0o622) == 0)
        #expect(LockHolder(ofHome: place.path) == nil)
    }

    @Test func `is not believed by way of a link`() throws {
        let (place, other) = (try Place("7\n/a\n"), try Scratch())
        try FileManager.default.createSymbolicLink(atPath: other.path + "/lock", withDestinationPath: place.file)
        #expect(LockHolder(ofHome: other.path) == nil)
    }

    @Test func `has a socket of its own only where nobody else can open it`() throws {
        let scratch = try Scratch()
        let path = scratch.path + "/s"
        let lock = try HomeLock(folder: scratch.path)
        lock.note(socket: path)
        func isPrivate() throws -> Bool { try #require(LockHolder(ofHome: scratch.path)).privateSocket != nil }
        #expect(try !isPrivate(), "nothing is there")
        try Data().write(to: URL(filePath: path))
        #expect(chmod(path, 0o600) == 0)
        #expect(try !isPrivate(), "it is no socket")
        try FileManager.default.removeItem(atPath: path)
        #expect(mknod(path, S_IFSOCK | 0o600, 0) == 0)
        #expect(chmod(scratch.path, 0o700) == 0)
        #expect(try isPrivate())
        #expect(chmod(path, 0o666) == 0)
        #expect(try !isPrivate(), "others can open it")
        #expect(chmod(path, 0o600) == 0 && chmod(scratch.path, 0o722) == 0)
        #expect(try !isPrivate(), "others can put another one there")
        #expect(chmod(scratch.path, 0o700) == 0)
        guard geteuid() == 0 else { return }
        // Root asks the node of somebody else through that one's socket, and through no other's.
        let home = try Scratch()
        #expect(LockHolder.isPrivate(path, ofHome: home.path))
        #expect(chown(home.path, 4_001, 4_001) == 0)
        #expect(!LockHolder.isPrivate(path, ofHome: home.path))
        #expect(chown(path, 4_001, 4_001) == 0 && chown(scratch.path, 4_001, 4_001) == 0)
        #expect(LockHolder.isPrivate(path, ofHome: home.path))
        #expect(!LockHolder.isPrivate(path, ofHome: scratch.path + "/none"), "nobody's home")
    }
}
