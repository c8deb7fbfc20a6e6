import Foundation
import GRDB
import OperationLogFixtures
import Storage
import Testing

@testable import SQLiteStore

@Suite("Databases of other versions")
struct UpgradeTests {
    private static let epoch = [UInt8](repeating: 1, count: 16)
    private static let later =
        Schema.steps + ["CREATE TABLE later(n INTEGER PRIMARY KEY);", "INSERT INTO later VALUES(7);"]

    /// A database of this version, with what a conversation left in it.
    private func written() throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory()
        var random = SplitMix64(seed: 3)
        let room = try Room(people: 2, using: &random)
        let store = try directory.open()
        var replica = StoredReplica(of: room.conversation, in: store)
        for batch in room.commits { try replica.receive(batch) }
        try store.close()
        return directory
    }

    private func change(_ directory: TemporaryDirectory, _ sql: String) throws {
        let queue = try DatabaseQueue(path: directory.file("replica.db"))
        try queue.write { try $0.execute(sql: sql) }
        try queue.close()
    }

    /// Carries a database over to a later version, and says what was told.
    private func upgrade(
        _ directory: TemporaryDirectory, by steps: [String] = later,
        told: @escaping (DatabaseUpgrade) throws -> Void = { _ in }
    ) throws -> [DatabaseUpgrade] {
        let path = directory.file("replica.db")
        let queue = try DatabaseQueue(path: path)
        defer { try? queue.close() }
        var all: [DatabaseUpgrade] = []
        var failure: (any Error)?
        try queue.writeWithoutTransaction { database in
            try ReplicaStore.upgrade(database, at: path, by: steps) { step in
                all.append(step)
                do { try told(step) } catch { failure = error }
            }
        }
        if let failure { throw failure }
        return all
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

    @Test func `of this version are opened as they are`() throws {
        let directory = try written()
        var told: [DatabaseUpgrade] = []
        let store = try ReplicaStore(
            at: directory.file("replica.db"), replicaEpoch: Self.epoch, upgrading: { told.append($0) })
        #expect(told.isEmpty && store.schemaVersion == 1)
        #expect(try store.integrityCheck() == [])
    }

    @Test func `are copied first, and the copy is there until all is done`() throws {
        let directory = try written()
        let before = try Self.state(of: directory.file("replica.db"))
        #expect(before.version == 1 && !before.headers.isEmpty)
        let path = directory.file("replica.db.version-1")
        var copy: State?
        let told = try upgrade(directory) { if $0 == .carryingOver { copy = try Self.state(of: path) } }
        #expect(told == [.copying(from: 1, to: 3, copy: path), .carryingOver, .done])
        #expect(copy == State(version: before.version, headers: before.headers, mode: 0o600))
        #expect(directory.mode(of: "replica.db.version-1") == nil)
        #expect(try Self.state(of: directory.file("replica.db")).version == 3)
        #expect(try upgrade(directory).isEmpty, "it is done once")
    }

    @Test func `are as they were where carrying over fails, the copy stays, and it is tried again`() throws {
        let directory = try written()
        // The first step is done by then, and has to be undone.
        #expect(throws: (any Error).self) {
            try upgrade(directory, by: Self.later.dropLast() + ["INSERT INTO nowhere VALUES(7);"])
        }
        let queue = try DatabaseQueue(path: directory.file("replica.db"))
        #expect(try queue.read { try Int.fetchOne($0, sql: "PRAGMA user_version") } == 1)
        #expect(try queue.read { try !$0.tableExists("later") }, "the step before was undone")
        try queue.close()
        #expect(directory.mode(of: "replica.db.version-1") == 0o600)
        #expect(directory.mode(of: "replica.db.version-1.part") == nil)
        #expect(try upgrade(directory).last == .done)
        #expect(directory.mode(of: "replica.db.version-1") == nil)
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

    @Test func `of before the first release are left alone, and the words say what to do`() throws {
        let directory = try TemporaryDirectory()
        try ReplicaStore(at: directory.file("replica.db"), replicaEpoch: Self.epoch, program: "0.0.9").close()
        try change(directory, "PRAGMA user_version = 16; PRAGMA application_id = 0")
        let refusal = StoreError.beforeRelease(program: "0.0.9")
        #expect(throws: refusal) { try directory.open() }
        #expect(refusal.hint.contains("Export what you want to keep with Moot 0.0.9"))
    }
}
