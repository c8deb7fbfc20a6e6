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
