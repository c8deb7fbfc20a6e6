import Conversations
import Cryptography
import Foundation
import GRDB
import OperationLog
import Storage
import Testing

@testable import SQLiteStore

@Suite("Databases of other versions")
struct UpgradeTests {
    private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Fixtures")
    private static let epoch = [UInt8](repeating: 1, count: 16)

    private func copy(of fixture: String) throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory()
        try FileManager.default.copyItem(
            atPath: Self.fixtures.appending(path: fixture).path, toPath: directory.file("replica.db"))
        return directory
    }

    private func change(_ directory: TemporaryDirectory, _ sql: String) throws {
        let queue = try DatabaseQueue(path: directory.file("replica.db"))
        try queue.write { try $0.execute(sql: sql) }
        try queue.close()
    }

    /// What takes a version back to the one before it: each only added tables and indexes.
    private static let undoing = [
        "DROP TABLE texts; DROP TABLE texts_progress; DROP TABLE texts_missing;",
        "DROP TABLE requests; DROP TABLE held_decisions;", "DROP TABLE message_counts;",
        "DROP INDEX declined_by_arrival; DROP TABLE shares;", "DROP INDEX files_by_arrival;", "DROP TABLE receipts;",
    ]

    @Test(arguments: 4...10)
    func `of every version since the first release are carried over whole`(version: Int) throws {
        let directory = try copy(of: "replica-10.sqlite")
        let undone = Self.undoing.prefix(10 - version).joined(separator: "\n")
        try change(directory, "\(undone)\nPRAGMA user_version = \(version);")
        let store = try ReplicaStore(at: directory.file("replica.db"), replicaEpoch: Self.epoch, upgrading: { _ in })
        #expect(try store.integrityCheck() == [])
        #expect(try store.operationCount() == 41)
        #expect(store.schemaVersion == Schema.version)
        try store.close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["replica.db"])
    }

    @Test func `of version 11 are carried over whole`() throws {
        let directory = try copy(of: "home-11/replica.sqlite")
        let store = try ReplicaStore(at: directory.file("replica.db"), replicaEpoch: Self.epoch, upgrading: { _ in })
        #expect(try store.integrityCheck() == [])
        #expect(try store.operationCount() > 10)
        #expect(try store.tombstones().isEmpty)
    }

    @Test func `of version 12 are carried over whole`() throws {
        let directory = try copy(of: "replica-12.sqlite")
        let store = try ReplicaStore(at: directory.file("replica.db"), replicaEpoch: Self.epoch, upgrading: { _ in })
        #expect(try store.integrityCheck() == [])
        #expect(try store.operationCount() > 10)
    }

    @Test func `of version 13 are carried over whole, with its lists of people for a node that has the key`() throws {
        let directory = try copy(of: "home-13/replica.sqlite")
        let store = try ReplicaStore(at: directory.file("replica.db"), replicaEpoch: Self.epoch, upgrading: { _ in })
        #expect(try store.integrityCheck() == [])
        #expect(try store.operationCount() == 10)
        let earlier = try #require(try store.earlierPersonMarks())
        #expect(earlier.blocked != nil && earlier.verified != nil && earlier.verifiedUsers.isEmpty)
        #expect(try store.personMarks().isEmpty)
    }

    @Test func `of version 14 are carried over whole, with the heads that conversations had`() throws {
        let directory = try copy(of: "replica-14.sqlite")
        let before = try DatabaseQueue(path: directory.file("replica.db"))
        let heads = try before.read { try Data.fetchAll($0, sql: "SELECT heads FROM conversations ORDER BY n") }
        try before.close()
        let store = try ReplicaStore(at: directory.file("replica.db"), replicaEpoch: Self.epoch, upgrading: { _ in })
        #expect(try store.integrityCheck() == [])
        let now = try store.conversations().map {
            try store.log(of: $0.id).contentHeads.flatMap(\.id.digest.bytes).count
        }
        #expect(now == heads.map(\.count) && now.reduce(0, +) > 0)
    }

    @Test func `of version 15 are carried over whole, with what is said about a message from either end`() throws {
        let directory = try copy(of: "replica-15.sqlite")
        // It has messages of two devices, four of each: all but one stand in for annotations of that one.
        try change(
            directory,
            """
            INSERT INTO annotations(n, conversation, target) SELECT later.n, later.conversation, first.id
            FROM operations AS first JOIN operations AS later ON later.type = first.type AND later.n <> first.n
            WHERE first.type = 32 AND first.sequence = 1;
            """)
        let store = try ReplicaStore(at: directory.file("replica.db"), replicaEpoch: Self.epoch, upgrading: { _ in })
        #expect(try store.integrityCheck() == [])
        let conversation = try #require(store.conversations().first).id
        let messages = try store.messages(in: conversation, limit: 100).map(\.operation)
        let firsts = messages.filter { $0.header.sequenceNumber == 1 }
        let first = try #require(firsts.first)
        func found(_ limit: Int?) throws -> Set<OperationID> {
            let all = try store.annotations(of: [first.id], in: conversation, fromEachEnd: limit)
            return Set((all[first.id] ?? []).map(\.operation.id))
        }
        let chains = [true, false].map { isOwn in
            messages.filter { $0.id != first.id && ($0.author == first.author) == isOwn }
                .sorted { $0.header.sequenceNumber < $1.header.sequenceNumber }.map(\.id)
        }
        #expect(chains.map(\.count) == [3, 4])
        #expect(try found(nil) == Set(chains.joined()))
        #expect(try found(1) == Set(chains.flatMap { $0.prefix(1) + $0.suffix(1) }))
    }

    @Test func `of this version are opened as they are`() throws {
        let directory = try copy(of: "replica-16.sqlite")
        var told: [DatabaseUpgrade] = []
        let store = try ReplicaStore(
            at: directory.file("replica.db"), replicaEpoch: Self.epoch, upgrading: { told.append($0) })
        #expect(told.isEmpty && Schema.version == 16, "a new version needs a database of this one among the fixtures")
        #expect(try store.integrityCheck() == [])
        #expect(try store.operationCount() > 10)
    }

    /// What is in a file.
    private struct State: Equatable {
        let version: Int?
        let headers: [Data]
        let mode: Int?
    }

    private static func state(of path: String) throws -> State {
        let queue = try DatabaseQueue(path: path)
        defer { try? queue.close() }
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        return try queue.read { database in
            State(
                version: try Int.fetchOne(database, sql: "PRAGMA user_version"),
                headers: try Data.fetchAll(database, sql: "SELECT header FROM operations ORDER BY n"), mode: mode)
        }
    }

    @Test func `are copied first, and the copy is there until all is done`() throws {
        let directory = try copy(of: "replica-10.sqlite")
        let before = try Self.state(of: directory.file("replica.db"))
        #expect(before.version == 10 && !before.headers.isEmpty)
        let path = directory.file("replica.db.version-10")
        var told: [DatabaseUpgrade] = []
        var copied: Result<State, any Error>?
        let store = try ReplicaStore(
            at: directory.file("replica.db"), replicaEpoch: Self.epoch,
            upgrading: { step in
                if step == .carryingOver(part: 0) { copied = Result { try Self.state(of: path) } }
                told.append(step)
            })
        #expect(told.first == .copying(from: 10, to: Schema.version, copy: path))
        #expect(told.last == .done && told.contains(.carryingOver(part: 1)))
        let copy = try #require(try copied?.get())
        #expect(copy.version == before.version && copy.headers == before.headers && copy.mode == 0o600)
        #expect(directory.mode(of: "replica.db.version-10") == nil)
        try store.close()
    }

    @Test func `are as they were where carrying over fails, the copy stays, and it is tried again`() throws {
        let directory = try copy(of: "replica-10.sqlite")
        try change(directory, "DROP TABLE texts_missing; PRAGMA user_version = 9;")
        // The first step is done by then, and has to be undone.
        try change(
            directory,
            "CREATE TRIGGER stop BEFORE UPDATE OF header ON operations WHEN old.n = 30 BEGIN SELECT RAISE(ABORT, 'no'); END"
        )
        #expect(throws: StoreError.self) {
            try ReplicaStore(at: directory.file("replica.db"), replicaEpoch: Self.epoch, upgrading: { _ in })
        }
        let queue = try DatabaseQueue(path: directory.file("replica.db"))
        #expect(try queue.read { try Int.fetchOne($0, sql: "PRAGMA user_version") } == 9)
        #expect(try queue.read { try $0.tableExists("texts") }, "the step before was undone")
        try queue.close()
        #expect(directory.mode(of: "replica.db.version-9") == 0o600)
        #expect(directory.mode(of: "replica.db.version-9.part") == nil)
        try change(directory, "DROP TRIGGER stop")
        let store = try ReplicaStore(at: directory.file("replica.db"), replicaEpoch: Self.epoch, upgrading: { _ in })
        #expect(try store.integrityCheck() == [])
        #expect(directory.mode(of: "replica.db.version-9") == nil)
    }

    @Test func `of a newer version are left alone, and the program that opens them is named`() throws {
        let directory = try TemporaryDirectory()
        try ReplicaStore(at: directory.file("replica.db"), replicaEpoch: Self.epoch, program: "7.8.9").close()
        try change(directory, "PRAGMA user_version = 99")
        let refusal = StoreError.newerVersion(found: 99, supported: Schema.version, program: "7.8.9")
        #expect(throws: refusal) { try directory.open() }
        #expect(refusal.description.contains("written by Moot 7.8.9"))
        #expect(refusal.hint.contains("Install Moot 7.8.9 again"))
    }
}
