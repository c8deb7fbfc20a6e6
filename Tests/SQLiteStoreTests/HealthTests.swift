import Conversations
import Cryptography
import Foundation
import GRDB
import OperationLog
import OperationLogFixtures
import Storage
import Testing

@testable import SQLiteStore

@Suite("Damage in a database")
struct HealthTests {
    /// A closed replica of some people's messages, with an index of words, and its last message.
    private func closedRoom() throws -> (directory: TemporaryDirectory, room: StoredRoom, last: OperationLog.Operation)
    {
        var stored = try StoredRoom(seed: 11, steps: 40)
        var random = SplitMix64(seed: 11)
        try stored.room.writeMessages(3, by: 0, length: 500, using: &random)
        try stored.replica.receive(try #require(stored.room.commits.last))
        try stored.store.setIndexed(true)
        try stored.store.index(stored.store.unindexed(limit: 100).map { ($0.arrival, "some words") })
        #expect(try stored.store.integrityCheck() == [])
        let last = try #require(stored.content.last)
        try stored.store.close()
        return (stored.directory, stored, last)
    }

    private func change(_ directory: TemporaryDirectory, _ sql: String, _ arguments: StatementArguments = []) throws {
        let queue = try DatabaseQueue(path: directory.file("replica.db"))
        try queue.write { database in
            try database.execute(sql: sql, arguments: arguments)
            #expect(database.changesCount == 1, "\(sql)")
        }
        try queue.close()
    }

    private func findings(in directory: TemporaryDirectory) throws -> [StoreFinding] {
        let store = try directory.open()
        let findings = try store.integrityCheck()
        try store.close()
        return findings
    }

    @Test func `a changed byte of a body, a header or a signature is found at its operation, and nothing else`() throws
    {
        let (directory, room, last) = try closedRoom()
        let id = last.id.digest.bytes
        for (column, part) in [
            ("body", StoreFinding.Part.operation), ("header", .operation), ("signature", .signature),
        ] {
            let flip = """
                UPDATE operations SET \(column) = cast(substr(\(column), 1, length(\(column)) - 1)
                    || CASE WHEN substr(\(column), -1) = x'00' THEN x'01' ELSE x'00' END AS BLOB) WHERE id = ?
                """
            let before = try directory.contents()
            try change(directory, flip, [Data(id)])
            let found = try findings(in: directory)
            #expect(found.map(\.part) == [part], "\(column): \(found)")
            #expect(found.first?.operation == last.id && found.first?.conversation == room.conversation)
            try directory.overwrite(at: 0, with: before)
            #expect(try findings(in: directory) == [])
        }
    }

    @Test func `a changed entry of an index is found as one thing`() throws {
        let (directory, _, last) = try closedRoom()
        let (file, id) = (try directory.contents(), last.id.digest.bytes)
        // In the index the first eight bytes of a name stand alone.
        let place = try #require(
            file.ranges(of: Array(id[..<8])).first { Array(file[$0.upperBound...].prefix(8)) != Array(id[8..<16]) })
        try directory.overwrite(at: place.lowerBound + 7, with: [id[7] ^ 1])
        let found = try findings(in: directory)
        #expect(found.map(\.part) == [.database], "\(found)")
        #expect(found.first?.sentence.contains("operations_by_id") == true)
    }

    @Test(arguments: [
        (
            "UPDATE tips SET sequence = sequence + 1 WHERE lane = 1 AND device = (SELECT max(device) FROM tips WHERE lane = 1)",
            StoreFinding.Part.chains
        ),
        (
            "UPDATE message_counts SET messages = messages + 1 WHERE device = (SELECT max(device) FROM message_counts)",
            .statistics
        ),
        (
            "UPDATE texts_content SET c0 = 'other words' WHERE id = (SELECT max(id) FROM texts_content)", .searchIndex
        ),
    ])
    func `what is derived of operations is held against them`(sql: String, part: StoreFinding.Part) throws {
        let (directory, _, _) = try closedRoom()
        let queue = try DatabaseQueue(path: directory.file("replica.db"))
        try queue.write { try $0.execute(sql: sql) }
        try queue.close()
        #expect(try findings(in: directory).map(\.part) == [part])
    }
}
