import Conversations
import Foundation
import OperationLog
import OperationLogFixtures
import Storage
import Testing

@testable import SQLiteStore

@Suite("What is stored in groups")
struct GroupTests {
    private struct Refusal: Error {}

    private static func succeeds(_ step: () throws -> Void) -> Bool { (try? step()) != nil }

    @Test func `a group is stored whole, and is there after a restart`() throws {
        let stored = try StoredRoom(seed: 40, steps: 30)
        let store = stored.store
        try store.together {
            for number in 0..<10 as Range<UInt8> { try? store.set("key \(number)", to: [number]) }
        }
        try store.close()
        let again = try stored.directory.open()
        for number in 0..<10 as Range<UInt8> { #expect(try again.setting("key \(number)") == [number]) }
        #expect(try again.integrityCheck() == [])
    }

    @Test func `a part that fails takes back itself alone`() throws {
        let store = try TemporaryDirectory().open()
        var failure: StoreError?
        try store.together {
            try? store.set("before", to: [1])
            do throws(StoreError) {
                try store.transaction { database in
                    try Query("INSERT INTO settings(key, value) VALUES('half', x'00')", on: database).run()
                    throw Refusal()
                }
            } catch {
                failure = error
            }
            try? store.set("after", to: [2])
        }
        #expect(failure != nil)
        #expect(try store.setting("before") == [1])
        #expect(try store.setting("half") == nil)
        #expect(try store.setting("after") == [2])
    }

    @Test func `where SQLite takes a group back, nothing of it is kept, and what comes next is stored`() throws {
        var stored = try StoredRoom(seed: 41, steps: 30)
        let store = stored.store
        // What a full disk does, at an operation of our choice.
        try store.access {
            try Query(
                """
                CREATE TEMP TRIGGER full BEFORE INSERT ON operations WHEN new.type = 32
                BEGIN SELECT RAISE(ROLLBACK, 'full'); END
                """, on: $0
            ).run()
        }
        var random = SplitMix64(seed: 41)
        try stored.room.writeMessages(3, by: 0, length: 10, using: &random)
        let batch = try #require(stored.room.commits.last)
        let before = stored.replica
        let count = try store.contentCount(of: stored.conversation)
        var results: [Bool] = []
        #expect(throws: StoreError.self) {
            try store.together {
                results.append(Self.succeeds { try store.set("before", to: [1]) })
                results.append(Self.succeeds { try stored.replica.receive(batch) })
                // The group is gone: this must not be kept by itself.
                results.append(Self.succeeds { try store.set("after", to: [2]) })
            }
        }
        #expect(results == [true, false, false])
        #expect(try store.setting("before") == nil)
        #expect(try store.setting("after") == nil)
        #expect(try store.contentCount(of: stored.conversation) == count)
        try store.access { try Query("DROP TRIGGER full", on: $0).run() }
        stored.replica = before
        try stored.replica.receive(batch)
        #expect(try store.contentCount(of: stored.conversation) == count + 3)
        #expect(try store.integrityCheck() == [])
    }

    @Test func `a conversation that a lost group opened is opened again`() throws {
        var random = SplitMix64(seed: 42)
        let room = try Room(people: 2, using: &random)
        let store = try TemporaryDirectory().open()
        let empty = StoredReplica(of: room.conversation, in: store)
        var replica = empty
        var opened = false
        #expect(throws: StoreError.self) {
            try store.together {
                opened = Self.succeeds { try replica.receive(room.commits[0]) }
                try? store.access { try Query("ROLLBACK", on: $0).run() }
            }
        }
        #expect(opened)
        #expect(store.conversations().isEmpty)
        replica = empty
        try replica.receive(room.commits[0])
        #expect(store.conversations().map(\.id) == [room.conversation])
    }

    @Test func `nothing of what a group erased is left in any file after it`() throws {
        let stored = try StoredRoom(seed: 43, steps: 60)
        let (store, conversation) = (stored.store, stored.conversation)
        let operation = try #require(stored.content.first { ($0.body?.count ?? 0) > 16 })
        let body = Data(try #require(operation.body))
        let found = { () throws -> Bool in
            try FileManager.default.contentsOfDirectory(atPath: stored.directory.path).contains { name in
                try Data(contentsOf: URL(filePath: "\(stored.directory.path)/\(name)")).range(of: body) != nil
            }
        }
        #expect(try found())
        var erased = false
        try store.together {
            erased = Self.succeeds { try store.erase([operation.id], in: conversation) }
        }
        #expect(erased)
        #expect(try !found())
    }
}
