import Conversations
import Cryptography
import OperationLog
import OperationLogFixtures
import Storage
import Testing
import Time

@testable import SQLiteStore

@Suite("Counting messages")
struct MessageCountTests {
    private static let always: Range<Int64> = 0..<10_000_000

    /// What is counted, found by reading every message.
    private static func recount(_ store: ReplicaStore, _ conversation: ConversationID) throws -> MessageCounts {
        var counts = MessageCounts()
        for message in try store.messages(in: conversation, limit: 100_000) where message.operation.body != nil {
            counts.quarterHours[message.hybridTime / MessageCounts.quarterHour, default: 0] += 1
            counts.authors[message.operation.author.user, default: 0] += 1
        }
        return counts
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `keeps up with whatever becomes of bodies`(seed: UInt64) throws {
        var history = try RandomHistory(seed: seed)
        for step in 1...60 {
            try history.step()
            let (store, conversation) = (history.store, history.conversation)
            let counted = try store.messageCounts(in: conversation, quarterHours: Self.always)
            try #require(try counted == Self.recount(store, conversation), "seed \(seed), step \(step)")
        }
        #expect(
            try history.store.messageCounts(in: history.conversation, quarterHours: Self.always).quarterHours.count > 5)
        let before = try Self.recount(history.store, history.conversation)
        try history.store.close()
        let again = try history.directory.open()
        #expect(try again.messageCounts(in: history.conversation, quarterHours: Self.always) == before)
    }

    @Test func `asks for a stretch of time, and not for people who are not heard`() throws {
        var history = try RandomHistory(seed: 71)
        for _ in 1...40 { try history.step() }
        let (store, conversation) = (history.store, history.conversation)
        let all = try Self.recount(store, conversation)
        let quarterHours = all.quarterHours.keys.sorted()
        try #require(quarterHours.count > 4)
        let (first, last) = (quarterHours[1], quarterHours[quarterHours.count - 2])
        let some = try store.messageCounts(in: conversation, quarterHours: first..<last)
        #expect(some.quarterHours == all.quarterHours.filter { (first..<last).contains($0.key) })
        #expect(some.authors.values.reduce(0, +) == some.quarterHours.values.reduce(0, +))
        let blocked = try #require(all.authors.keys.min())
        let heard = try store.messageCounts(in: conversation, quarterHours: Self.always, without: [blocked])
        #expect(heard.authors == all.authors.filter { $0.key != blocked })
        #expect(heard.quarterHours.values.reduce(0, +) == heard.authors.values.reduce(0, +))
        let nowhere = ConversationID(digest: .hash("test", [1]))
        #expect(try store.messageCounts(in: nowhere, quarterHours: Self.always) == MessageCounts())
    }

    @Test func `a message that is taken out is counted no more`() throws {
        var history = try RandomHistory(seed: 72)
        for _ in 1...40 { try history.step() }
        let (store, conversation) = (history.store, history.conversation)
        var counts = try store.messageCounts(in: conversation, quarterHours: Self.always)
        for message in try store.messages(in: conversation, limit: 1_000) where message.operation.body != nil {
            counts.remove(message)
        }
        #expect(counts == MessageCounts())
    }
}

/// A conversation of which chance decides who writes, and what becomes of bodies.
private struct RandomHistory {
    private var stored: StoredRoom
    private var random: SplitMix64
    private var clock: Int64 = 1_700_000_100_000
    /// Bodies that are elsewhere.
    private var lacking: [OperationID: [UInt8]] = [:]

    init(seed: UInt64) throws {
        stored = try StoredRoom(seed: seed)
        random = SplitMix64(seed: seed &+ 1_000)
    }

    var directory: TemporaryDirectory { stored.directory }
    var store: ReplicaStore { stored.store }
    var conversation: ConversationID { stored.conversation }

    /// Something happens.
    mutating func step() throws {
        switch Int.random(in: 0..<10, using: &random) {
        case 0...5: try write()
        case 6:
            let bodies = lacking.sorted { $0.key < $1.key }.filter { _ in Bool.random(using: &random) }
            // A body that two peers send comes twice.
            for _ in 1...2 {
                try store.fill(
                    bodies.map { (id: $0.key, body: $0.value) }, keys: [:], erasing: try some(of: 20), in: conversation)
            }
            for body in bodies { lacking[body.key] = nil }
        case 7: try store.erase(try some(of: 12), in: conversation)
        case 8:
            let before = Timestamp(clamping: clock - Int64.random(in: 0...40_000_000, using: &random))
            _ = try store.expire(before: before, at: .latest, in: conversation, limit: 3)
        default:
            try store.want(try store.declined(in: conversation), in: conversation)
        }
    }

    /// One in so many of the operations, which are erased and never come again.
    private mutating func some(of count: Int) throws -> [OperationID] {
        let ids = try store.messages(in: conversation, limit: 10_000).map(\.operation.id)
        let chosen = ids.filter { _ in Int.random(in: 0..<count, using: &random) == 0 }
        for id in chosen { lacking[id] = nil }
        return chosen
    }

    private mutating func write() throws {
        clock += Int64.random(in: 0...2_000_000, using: &random)
        let people = stored.room.people
        let author = people[Int.random(in: 0..<people.count, using: &random)].author
        let types: [OperationType] = [.message, .message, .message, .edit, .delete]
        let drafts = (0..<Int.random(in: 1...6, using: &random)).map { _ in
            ConversationLog.Draft(
                type: types[Int.random(in: 0..<types.count, using: &random)], body: random.bytes(24))
        }
        let written = try stored.replica.log.write(content: drafts, by: author, at: Timestamp(clamping: clock))
        var encryption = EncryptionCommit()
        var operations: [AdmittedOperation] = []
        for entry in written {
            let id = entry.operation.id
            let place = Int.random(in: 0..<6, using: &random)
            operations.append(place < 3 ? entry : entry.withoutBody)
            guard place >= 3 else { continue }
            lacking[id] = entry.operation.body
            switch place {
            case 3: encryption.wanted.insert(id)
            case 4: encryption.declined.insert(id)
            default: encryption.closed.insert(id)
            }
        }
        try store.commit(
            [LaneCommit(operations, to: .content, of: stored.replica.log, encryption: encryption)],
            receivedAt: .earliest)
    }
}
