import Conversations
import Cryptography
import GRDB
import OperationLog
import OperationLogFixtures
import Testing

@testable import SQLiteStore

@Suite("The full-text index")
struct TextIndexTests {
    /// A room whose messages say "word N of everybody", the newest with the largest number.
    private static func indexed(seed: UInt64, steps: Int = 80) throws -> StoredRoom {
        let stored = try StoredRoom(seed: seed, steps: steps)
        try stored.store.setIndexed(true)
        try Self.index(stored)
        return stored
    }

    private static func index(_ stored: StoredRoom) throws {
        while case let next = try stored.store.unindexed(limit: 10), !next.isEmpty {
            #expect(next.count <= 10)
            try stored.store.index(next.map { ($0.arrival, "number\($0.arrival) for everybody") })
        }
    }

    @Test func `a word finds its message, the latest arrivals first, page by page`() throws {
        let stored = try Self.indexed(seed: 40)
        let all = try stored.store.newestMessages(in: stored.conversation, before: nil, limit: 1_000)
        #expect(all.count > 30)
        #expect(all == all.sorted { $0.arrival > $1.arrival })
        let found = try stored.store.matches(of: "\"everybody\"", in: nil, before: nil, limit: 1_000)
        #expect(found == all)
        let one = all[7]
        #expect(
            try stored.store.matches(of: "\"number\(one.arrival)\"", in: stored.conversation, before: nil, limit: 9)
                == [one])
        let page = try stored.store.matches(of: "\"every\"*", in: nil, before: one.arrival, limit: 5)
        #expect(page == Array(all[8..<13]))
        let nowhere = ConversationID(digest: .hash("test", [1]))
        #expect(try stored.store.matches(of: "\"everybody\"", in: nowhere, before: nil, limit: 9) == [])
    }

    @Test func `what comes later is indexed later, and nothing twice`() throws {
        var stored = try StoredRoom(seed: 41, steps: 0)
        try stored.store.setIndexed(true)
        var random = SplitMix64(seed: 41)
        for _ in 0..<5 {
            let before = stored.room.commits.count
            try stored.room.writeMessages(7, by: 0, using: &random)
            for commit in stored.room.commits[before...] { try stored.replica.receive(commit) }
            try Self.index(stored)
        }
        #expect(try stored.store.matches(of: "\"everybody\"", in: nil, before: nil, limit: 100).count == 35)
        #expect(try stored.store.unindexed(limit: 10) == [])
    }

    @Test func `phrases are found where their words follow each other, the last of them perhaps only begun`() throws {
        let stored = try Self.indexed(seed: 48)
        let store = stored.store
        let all = try store.newestMessages(in: nil, before: nil, limit: 1_000)
        func count(_ expression: String) throws -> Int {
            try store.matches(of: expression, in: nil, before: nil, limit: 1_000).count
        }
        #expect(try count("\"for everybody\"") == all.count)
        #expect(try count("\"for every\"* \"for\"") == all.count)
        #expect(try count("\"for every\"") == 0)
        #expect(try count("\"everybody for\"") == 0)
    }

    @Test func `what does not open is tried again at the next start`() throws {
        let stored = try StoredRoom(seed: 42, steps: 20)
        try stored.store.setIndexed(true)
        let first = try stored.store.unindexed(limit: 1_000)
        try stored.store.index(first.map { ($0.arrival, nil) })
        #expect(try stored.store.unindexed(limit: 1_000) == [])
        try stored.store.setIndexed(true)
        #expect(try stored.store.unindexed(limit: 1_000) == first)
    }

    @Test func `the words of an erased message leave the file`() throws {
        let stored = try StoredRoom(seed: 43, steps: 40)
        try stored.store.setIndexed(true)
        let messages = try stored.store.unindexed(limit: 1_000)
        try stored.store.index(messages.map { ($0.arrival, "xylophone\($0.arrival)phone") })
        let (erased, kept) = (messages[2], messages[3])
        let word = "xylophone\(erased.arrival)phone"
        try stored.store.erase([erased.operation.id], in: stored.conversation)
        #expect(try stored.directory.contains(Array(word.utf8)), "the index still has it")
        while try stored.store.compactIndex() {}
        #expect(try !stored.directory.contains(Array(word.utf8)))
        #expect(try stored.store.matches(of: "\"\(word)\"", in: nil, before: nil, limit: 9) == [])
        let other = "\"xylophone\(kept.arrival)phone\""
        #expect(try stored.store.matches(of: other, in: nil, before: nil, limit: 9) == [kept])
    }

    @Test func `a dropped index leaves no word behind`() throws {
        let stored = try StoredRoom(seed: 44, steps: 40)
        try stored.store.setIndexed(true)
        let messages = try stored.store.unindexed(limit: 1_000)
        try stored.store.index(messages.map { ($0.arrival, "xylophone \($0.arrival)") })
        #expect(try stored.directory.contains(Array("xylophone".utf8)))
        try stored.store.setIndexed(false)
        #expect(try !stored.store.isIndexed())
        #expect(try !stored.directory.contains(Array("xylophone".utf8)))
        #expect(try stored.store.newestMessages(in: nil, before: nil, limit: 1_000).count == messages.count)
    }
}
