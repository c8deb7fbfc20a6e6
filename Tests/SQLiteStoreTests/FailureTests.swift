import Conversations
import Cryptography
import Glibc
import OperationLog
import OperationLogFixtures
import Storage
import Testing

@testable import SQLiteStore

@Suite("When something is wrong with the file or the disk")
struct FailureTests {
    private func open(_ path: String) throws(StoreError) -> ReplicaStore {
        try ReplicaStore(at: path, replicaEpoch: Array(repeating: 1, count: 16))
    }

    @Test func `a second opener is told that the replica is in use`() throws {
        let directory = try TemporaryDirectory()
        let first = try directory.open()
        #expect(throws: StoreError.inUse) { try directory.open() }
        try first.set("key", to: [1])
        try first.close()
        let second = try directory.open()
        #expect(try second.setting("key") == [1])
    }

    @Test func `a value that a statement does not take is an error, not NULL`() throws {
        let store = try TemporaryDirectory().open()
        #expect(throws: StoreError.ioError("column index out of range")) {
            try store.access { try Query("SELECT ?1", on: $0).bind(1, at: 2) }
        }
        #expect(throws: StoreError.ioError("column index out of range")) {
            try store.access {
                try Query("SELECT ?1", on: $0).bind(borrowing: UnsafeRawBufferPointer(start: nil, count: 0), at: 2)
            }
        }
    }

    @Test func `a replica of a newer version is left alone`() throws {
        let directory = try TemporaryDirectory()
        try directory.open().close()
        // The version stands in the header of the file, big-endian at byte 60.
        try directory.overwrite(at: 60, with: [0, 0, 0, 99])
        #expect(throws: StoreError.newerVersion(found: 99, supported: Schema.version, program: nil)) {
            try directory.open()
        }
    }

    @Test func `a replica from before the first release is left alone`() throws {
        let directory = try TemporaryDirectory()
        try directory.open().close()
        // So does what says that a release wrote it, at byte 68.
        try directory.overwrite(at: 60, with: [0, 0, 0, 16])
        try directory.overwrite(at: 68, with: [0, 0, 0, 0])
        #expect(throws: StoreError.beforeRelease(program: nil)) { try directory.open() }
    }

    @Test func `another program's database is left alone`() throws {
        let directory = try TemporaryDirectory()
        try directory.open().close()
        // Tables, but no version: somebody else made them.
        try directory.overwrite(at: 60, with: [0, 0, 0, 0])
        #expect(throws: StoreError.corrupted("it is the database of another program")) { try directory.open() }
    }

    @Test func `a file that is no database is called damaged`() throws {
        let directory = try TemporaryDirectory()
        try directory.overwrite(at: 0, with: Array("This is a letter to a friend, not a database. ".utf8))
        do throws(StoreError) {
            _ = try directory.open()
            Issue.record("that was no database")
        } catch {
            #expect(error.code == "corrupted")
        }
    }

    @Test func `a pipe in the place of the database keeps nobody waiting`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("replica.db")
        #expect(mkfifo(path, 0o600) == 0)
        #expect(throws: StoreError.ioError("\(path) is no file")) { try directory.open() }
    }

    @Test func `an overwritten page is found`() throws {
        let directory: TemporaryDirectory
        do {
            let stored = try StoredRoom(seed: 1, steps: 200)
            try stored.store.close()
            directory = stored.directory
        }
        let size = try directory.size()
        for page in stride(from: 4_096, to: size, by: 4_096) {
            try directory.overwrite(at: page + 100, with: Array(repeating: 0xA5, count: 3_000))
        }
        do throws(StoreError) {
            let findings = try directory.open().integrityCheck()
            #expect(!findings.isEmpty)
        } catch {
            #expect(error.code == "corrupted")
        }
    }

    @Test func `a changed byte of a message is found`() throws {
        var stored = try StoredRoom(seed: 2, steps: 0)
        var random = SplitMix64(seed: 2)
        try stored.room.writeMessages(1, by: 0, length: 500, using: &random)
        try stored.replica.receive(try #require(stored.room.commits.last))
        let body = try #require(stored.content.last?.body)
        try stored.store.close()
        let file = try stored.directory.contents()
        let place = try #require(file.firstRange(of: Array(body[100..<132]))).lowerBound
        try stored.directory.overwrite(at: place, with: [body[100] ^ 1])
        #expect(try stored.directory.open().integrityCheck().count == 1)
    }

    @Test func `only the owner may read the file`() throws {
        let directory = try TemporaryDirectory()
        let store = try ReplicaStore(
            at: directory.file("home/replica.db"), replicaEpoch: Array(repeating: 1, count: 16))
        try store.set("key", to: [1])
        #expect(directory.mode(of: "home") == 0o700)
        for name in ["home/replica.db", "home/replica.db-wal"] { #expect(directory.mode(of: name) == 0o600) }
        #expect(directory.mode(of: "home/replica.db-shm") == nil)
        try store.close()
        unlink(directory.file("home/replica.db"))
        rmdir(directory.file("home"))
    }

    @Test func `a directory that is missing beyond the last is not made`() throws {
        let directory = try TemporaryDirectory()
        #expect(throws: StoreError.permissionDenied(path: directory.file("a/b"))) {
            try open(directory.file("a/b/replica.db"))
        }
    }

    @Test(.enabled(if: SmallDisk.isAvailable, "needs root to mount a small disk"))
    func `a read-only disk is reported as such`() throws {
        let disk = try SmallDisk(megabytes: 2)
        try open("\(disk.path)/replica.db").close()
        try disk.protect()
        #expect(throws: StoreError.permissionDenied(path: "\(disk.path)/replica.db")) {
            try open("\(disk.path)/replica.db")
        }
    }

    @Test(.enabled(if: SmallDisk.isAvailable, "needs root to mount a small disk"))
    func `a full disk stops writing only, and only until there is room`() throws {
        var random = SplitMix64(seed: 3)
        var room = try Room(people: 2, using: &random)
        let disk = try SmallDisk(megabytes: 6)
        try disk.occupy(megabytes: 3)
        var replica = StoredReplica(of: room.conversation, in: try open("\(disk.path)/replica.db"))
        try replica.receive(room.commits[0])
        var isFull = false
        while !isFull {
            try room.writeMessages(50, by: 0, length: 1_000, using: &random)
            do {
                try replica.receive(try #require(room.commits.last))
            } catch {
                #expect(error as? StoreError == .diskFull)
                isFull = true
            }
        }
        let refused = try #require(room.commits.last)
        let held = room.commits.dropLast().filter { $0.lane == .content }.flatMap(\.operations)
        #expect(try replica.store.contentCount(of: room.conversation) == held.count)
        #expect(try replica.store.integrityCheck() == [])
        #expect(throws: StoreError.diskFull) {
            for key in 0..<1_000 { try replica.store.set("\(key)", to: Array(repeating: 1, count: 60_000)) }
        }

        disk.relieve()
        try replica.receive(refused)
        #expect(try replica.store.contentCount(of: room.conversation) == held.count + 50)
        try replica.store.close()
        let restored = try open("\(disk.path)/replica.db").restoreLog(of: room.conversation)
        #expect(restored.contentFrontier == replica.log.contentFrontier)
        #expect(restored.contentHeads == replica.log.contentHeads)
    }

    @Test func `the power fails at any moment and leaves what was committed by then`() throws {
        let stored = try StoredRoom(seed: 4, steps: 30)
        // The files as they are while the store is open: what a crash would leave.
        let database = try stored.directory.contents()
        let log = try stored.directory.contents(suffix: "-wal")
        var counts: [Int] = []
        for length in stride(from: 0, through: log.count, by: 4_120 * 3 / 2) + [log.count] {
            let directory = try TemporaryDirectory()
            try directory.overwrite(at: 0, with: database)
            try directory.overwrite(at: 0, with: Array(log[..<length]), suffix: "-wal")
            let store = try directory.open()
            #expect(try store.integrityCheck() == [])
            let restored = try store.restoreLog(of: stored.conversation)
            // Every commit was durable when the next began: a prefix of them is there.
            let commits = stored.room.commits.prefix { commit in
                commit.operations.allSatisfy { (try? store.operation($0.id)) != nil }
            }
            var replica = Replica(of: stored.conversation)
            for commit in commits { try replica.receive(commit) }
            #expect(restored.contentFrontier == replica.log.contentFrontier)
            #expect(restored.membershipFrontier == replica.log.membershipFrontier)
            #expect(restored.contentHeads == replica.log.contentHeads)
            counts.append(commits.count)
        }
        #expect(counts.last == stored.room.commits.count)
        #expect(counts == counts.sorted())
    }
}
