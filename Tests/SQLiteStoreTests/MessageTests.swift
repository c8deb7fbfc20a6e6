import Conversations
import Cryptography
import OperationLog
import OperationLogFixtures
import SQLiteStore
import Storage
import Testing
import Time

@Suite("Reading messages")
struct MessageTests {
    /// All messages in the order every replica shows them.
    private func expected(_ stored: StoredRoom) throws -> [MessagePosition] {
        var replica = Replica(of: stored.conversation)
        for commit in stored.room.commits { try replica.receive(commit) }
        return (replica.admitted[.content] ?? [])
            .map { MessagePosition(hybridTime: $0.hybridTime, id: $0.operation.id) }.sorted()
    }

    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func `pages join to the whole, backwards and forwards`(seed: UInt64) throws {
        let stored = try StoredRoom(seed: seed)
        let expected = try expected(stored)
        var backwards: [MessagePosition] = []
        while true {
            let page = try stored.store.messages(in: stored.conversation, before: backwards.first, limit: 7)
            if page.isEmpty { break }
            backwards = page.map(\.position) + backwards
        }
        #expect(backwards == expected)
        var forwards = Array(expected.prefix(1))
        while let last = forwards.last {
            let page = try stored.store.messages(in: stored.conversation, after: last, limit: 7)
            if page.isEmpty { break }
            forwards += page.map(\.position)
        }
        #expect(forwards == expected)
        #expect(try stored.store.contentCount(of: stored.conversation) == expected.count)
    }

    @Test func `when an operation came is known in both lanes, and of others nothing`() throws {
        let stored = try StoredRoom(seed: 3, steps: 0)
        var replica = StoredReplica(of: stored.conversation, in: try stored.directory.open(file: "other.db"))
        var room = stored.room
        var random = SplitMix64(seed: 3)
        try room.live(steps: 20, using: &random)
        let times = [1_700_000_000_000, 1_700_000_060_000] as [Int64]
        for (place, commit) in room.commits.enumerated() {
            try replica.receive(commit, at: Timestamp(clamping: times[place % 2]))
        }
        let unknown = OperationID(digest: .hash("test", [1]))
        for (place, commit) in room.commits.enumerated() {
            let ids = commit.operations.map(\.id)
            let arrivals = try replica.store.arrivals(of: ids + [unknown], in: stored.conversation)
            #expect(
                arrivals.mapValues(\.milliseconds)
                    == Dictionary(uniqueKeysWithValues: ids.map { ($0, times[place % 2]) }))
        }
        let elsewhere = ConversationID(digest: .hash("test", [2]))
        #expect(try replica.store.arrivals(of: room.commits[0].operations.map(\.id), in: elsewhere).isEmpty)
    }

    @Test func `messages of one time stand in the order of their ids`() throws {
        var stored = try StoredRoom(seed: 2, people: 8, steps: 0)
        var random = SplitMix64(seed: 2)
        for person in 0..<8 {
            try stored.room.writeMessages(1, by: person, using: &random)
            try stored.replica.receive(try #require(stored.room.commits.last))
        }
        let all = try stored.store.messages(in: stored.conversation, limit: 100)
        #expect(Set(all.map(\.hybridTime)).count == 1)
        #expect(all.map(\.operation.id) == stored.content.map(\.id).sorted())
        let middle = all[3].position
        #expect(try stored.store.messages(in: stored.conversation, before: middle, limit: 100) == Array(all[..<3]))
        #expect(try stored.store.messages(in: stored.conversation, after: middle, limit: 100) == Array(all[4...]))
        let between = try stored.store.messages(
            in: stored.conversation, before: all[6].position, after: middle, limit: 100)
        #expect(between == Array(all[4..<6]))
    }

    @Test func `a message is found by its id, and by the beginning of it`() throws {
        let stored = try StoredRoom(seed: 3)
        for operation in stored.content {
            #expect(try stored.store.message(operation.id)?.operation == operation)
            #expect(try stored.store.operation(operation.id) == operation)
            let whole = try stored.store.operations(matching: operation.id.description, in: stored.conversation)
            #expect(whole == [operation.id])
            let start = String(operation.id.description.prefix(12))
            #expect(try stored.store.operations(matching: start, in: stored.conversation) == [operation.id])
        }
        let all = stored.room.commits.flatMap(\.operations).map(\.id).sorted()
        for digit in "0123456789abcdef" {
            let found = try stored.store.operations(matching: String(digit), in: stored.conversation, limit: 1_000)
            #expect(found == all.filter { $0.description.first == digit })
        }
        for nonsense in ["", "xyz", "A", String(repeating: "0", count: 65)] {
            #expect(try stored.store.operations(matching: nonsense, in: stored.conversation).isEmpty)
        }
        #expect(try stored.store.message(OperationID(digest: .hash("test", [1]))) == nil)
        #expect(try stored.store.message(stored.room.commits[0].operations[0].id) == nil)
    }

    @Test func `what others wrote is unread until it is marked`() throws {
        var stored = try StoredRoom(seed: 4, people: 3, steps: 0)
        var random = SplitMix64(seed: 4)
        for (person, count) in [(0, 5), (1, 3), (2, 2)] {
            try stored.room.writeMessages(count, by: person, using: &random)
            try stored.replica.receive(try #require(stored.room.commits.last))
        }
        let people = stored.room.people
        let store = stored.store
        #expect(try store.unreadCount(in: stored.conversation, for: people[0].user) == 5)
        try store.markRead([people[1].device: 2], in: stored.conversation)
        #expect(try store.unreadCount(in: stored.conversation, for: people[0].user) == 3)
        let unread = try store.unreadMessages(in: stored.conversation, for: people[0].user, limit: 10)
        #expect(unread.map(\.operation.author.id).sorted() == [people[1], people[2], people[2]].map(\.device).sorted())
        #expect(unread.map(\.position) == unread.map(\.position).sorted())
        let rest = try store.unreadMessages(
            in: stored.conversation, for: people[0].user, after: unread[0].position, limit: 1)
        #expect(rest == [unread[1]])
        let heard = try store.unreadMessages(
            in: stored.conversation, for: people[0].user, without: [people[2].user], limit: 10)
        #expect(heard.map(\.operation.author.id) == [people[1].device])
        // The next of every chain that is read further, and nothing behind the last of all.
        let behindFirst = try store.firstUnread(behind: unread[0].position, in: stored.conversation)
        for message in unread {
            let device = message.operation.author.id
            let next = unread.first { $0.position > unread[0].position && $0.operation.author.id == device }
            #expect(behindFirst[device] == next?.operation.header.sequenceNumber)
        }
        let behindLast = try store.firstUnread(behind: unread[2].position, in: stored.conversation)
        #expect(behindLast[people[1].device] == nil && behindLast[people[2].device] == nil)
        try store.markRead([people[1].device: 1, people[2].device: 2], in: stored.conversation)
        #expect(try store.unreadCount(in: stored.conversation, for: people[0].user) == 1)
        #expect(try store.readMarks(in: stored.conversation) == [people[1].device: 2, people[2].device: 2])
    }

    @Test func `the time of arrival is kept`() throws {
        var stored = try StoredRoom(seed: 5, steps: 0)
        var random = SplitMix64(seed: 5)
        try stored.room.writeMessages(1, by: 0, using: &random)
        let arrival = Timestamp(clamping: 1_800_000_000_123)
        try stored.replica.receive(try #require(stored.room.commits.last), at: arrival)
        #expect(try stored.store.messages(in: stored.conversation, limit: 1).map(\.receivedAt) == [arrival])
    }
}
