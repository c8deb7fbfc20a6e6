import Conversations
import Cryptography
import Foundation
import GRDB
import OperationLog
import OperationLogFixtures
import Storage
import Testing
import Time

@testable import SQLiteStore

@Suite("Rows name operations by their rows")
struct ReferenceTests {
    /// A home of version 10 with two groups: 27 messages by three people, a reaction, an edit, a deletion, a pin and a removal.
    private static let fixture = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../Fixtures/replica-10.sqlite")
    /// What `moot verify` said of it before: the digests of both lanes' frontiers.
    private static let digests = [
        "037c87e5837fe201fc8470de76d502f09d8fd3ed468293fc4ddcb65ed324a26c": 35,
        "7810070b50f80b466048dc81ed56893deeb064a0d539cc55521e643ec00706e6": 6,
    ]

    @Test func `a home of version 10 is the same afterwards, in shorter rows`() throws {
        let directory = try TemporaryDirectory()
        try FileManager.default.copyItem(atPath: Self.fixture.path, toPath: directory.file("replica.db"))
        for isFirst in [true, false] {
            let store = try directory.open()
            // Every header is hashed, and has the name it had: so nothing of it was lost.
            #expect(try store.integrityCheck() == [])
            var found: [String: Int] = [:]
            for conversation in store.conversations() {
                let digest = Digest.hash(
                    "moot/1/replica", try store.frontier(of: conversation.id, lane: .membership).digest.bytes,
                    try store.frontier(of: conversation.id, lane: .content).digest.bytes)
                found[digest.hexadecimal] =
                    try store.log(of: conversation.id).membership.count + store.contentCount(of: conversation.id)
            }
            #expect(found.filter { Self.digests[$0.key] != nil } == Self.digests)
            let longest = try store.longestHeader()
            #expect(longest < 80, "a header takes \(longest) bytes")
            let first = try store.messages(
                in: try #require(store.conversations().first?.id), limit: 100
            ).first
            #expect(
                first?.operation.id.description == "2b9a4de41cd319d552bea971900b6666161c94eceeb881134538f44b4de22a25",
                "first opening: \(isFirst)")
            try store.close()
        }
    }

    @Test func `a header that is damaged is set aside as it was, and everything else is carried over`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("replica.db")
        try FileManager.default.copyItem(atPath: Self.fixture.path, toPath: path)
        let harmed = try DatabaseQueue(path: path)
        try harmed.write { database in
            // One that ends too early, one that is of another place of its chain.
            try database.execute(sql: "UPDATE operations SET header = x'01' WHERE n = 20")
            try database.execute(sql: "UPDATE operations SET header = x'7f' || substr(header, 2) WHERE n = 21")
        }
        try harmed.close()
        var told: [Double] = []
        let store = try ReplicaStore(
            at: path, replicaEpoch: Array(repeating: 1, count: 16),
            upgrading: { if case .carryingOver(let part) = $0 { told.append(part) } })
        #expect(told.last == 1 && told == told.sorted())
        #expect(try store.damagedCount() == 2)
        #expect(try store.integrityCheck().count == 2)
        let kept = try store.access { database in
            try Data.fetchAll(database, sql: "SELECT header FROM \(DamagedHeaders.table) ORDER BY n")
        }
        #expect(kept.first == Data([1]) && kept.last?.first == 0x7F)
        try store.close()
        let again = try directory.open()
        #expect(try again.damagedCount() == 2)
    }

    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func `what a commit follows is found after a restart, and however long ago it was`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var room = try Room(people: 3, using: &random)
        try room.live(steps: 40, using: &random)
        let directory = try TemporaryDirectory()
        var (log, count) = (Room.emptyLog(of: room.conversation), 0)
        for batch in room.commits {
            // Opened anew each time: nothing is remembered, and everything is found in the index.
            let store = try directory.open()
            var replica = StoredReplica(of: room.conversation, in: store)
            replica.log = log
            try replica.receive(batch)
            (log, count) = (replica.log, count + batch.operations.count)
            #expect(try store.longestHeader() < 120)
            try store.close()
        }
        let store = try directory.open()
        #expect(try store.integrityCheck() == [])
        #expect(try store.restoreLog(of: room.conversation).contentFrontier == log.contentFrontier)
    }

    @Test func `a message of 100 bytes takes at most 310 bytes of the file`() throws {
        var random = SplitMix64(seed: 7)
        let room = try Room(people: 10, using: &random)
        let directory = try TemporaryDirectory()
        let store = try directory.open()
        var replica = StoredReplica(of: room.conversation, in: store)
        for batch in room.commits { try replica.receive(batch) }
        let time = Timestamp(clamping: 1_700_000_100_000)
        var sizes: [Int] = []
        for _ in 0..<3 {
            var written: [AdmittedOperation] = []
            for number in 0..<1_000 {
                // Ten people in turn: each message follows one of somebody else and one of its author.
                let body = (0..<152).map { _ in UInt8.random(in: .min ... .max, using: &random) }
                written += try replica.log.write(
                    content: [ConversationLog.Draft(type: .message, body: body)], by: room.people[number % 10].author,
                    at: time)
            }
            try store.commit([LaneCommit(written, to: .content, of: replica.log)], receivedAt: time)
            try store.checkpoint()
            sizes.append(try directory.size())
        }
        let bytes = Double(sizes[2] - sizes[0]) / 2_000
        #expect(bytes <= 310 + 66, "\(bytes) bytes, of which a signature of each takes 66")
    }
}

extension ReplicaStore {
    /// Bytes of the longest stored header.
    fileprivate func longestHeader() throws -> Int {
        try access { database in
            Int(try Query("SELECT max(length(header)) FROM operations", on: database).first { $0.number(0) } ?? 0)
        }
    }

    /// Writes all of the write-ahead log into the file.
    fileprivate func checkpoint() throws {
        _ = try access { try Query("PRAGMA wal_checkpoint(TRUNCATE)", on: $0).map { $0.number(0) } }
    }
}
