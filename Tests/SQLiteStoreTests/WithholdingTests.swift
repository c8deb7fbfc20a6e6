import Conversations
import OperationLog
import OperationLogFixtures
import SQLiteStore
import Storage
import Testing
import Time

@Suite("Withholding what does not count")
struct WithholdingTests {
    private let stored: StoredRoom
    private let before: [StoredMessage]
    private let thief: Device
    private let withheld: [StoredMessage]

    private var store: ReplicaStore { stored.store }
    private var conversation: ConversationID { stored.conversation }

    /// Somebody who wrote in the room, of whom nothing counts that they wrote in the second half.
    init() throws {
        stored = try StoredRoom(seed: 71, steps: 120)
        before = try stored.store.messages(in: stored.conversation, limit: 1_000)
        let later = before.suffix(before.count / 2)
        thief = try #require(later.last).operation.author
        withheld = later.filter { [thief = self.thief] in $0.operation.author == thief }
    }

    private func withhold() throws {
        try store.withhold(withheld.map(\.operation.id), showing: [], in: conversation)
    }

    private var others: UserID {
        get throws { try #require(stored.room.people.map(\.user).first { $0 != thief.user }) }
    }

    @Test func `what is withheld is on no page, in no count and not found by its name`() throws {
        let reader = try others
        let unread = try store.unreadCount(in: conversation, for: reader)
        try withhold()
        let gone = Set(withheld.map(\.operation.id))
        #expect(!gone.isEmpty)
        let left = before.filter { !gone.contains($0.operation.id) }
        #expect(try store.messages(in: conversation, limit: 1_000) == left)
        #expect(try store.overviews(for: reader)[conversation]?.last == left.last)
        #expect(try store.unreadCount(in: conversation, for: reader) == unread - gone.count)
        #expect(try store.unreadCounts(for: reader)[conversation] == unread - gone.count)
        let unreadMessages = try store.unreadMessages(in: conversation, for: reader, limit: 1_000)
        #expect(unreadMessages.allSatisfy { !gone.contains($0.operation.id) })
        #expect(
            try store.newestMessages(in: conversation, before: nil, limit: 1_000).allSatisfy {
                !gone.contains($0.operation.id)
            })
        for id in gone {
            #expect(try store.message(id) == nil)
            #expect(try store.messages(matching: id.description) == [])
            #expect(try store.operation(id)?.body != nil, "its body stays")
            let place = try #require(try store.position(of: id, in: conversation), "a page may have ended there")
            #expect(place == withheld.first { $0.operation.id == id }?.position)
            let earlier = try store.messages(in: conversation, before: place, limit: 1_000)
            #expect(earlier == left.filter { $0.position < place })
        }
        let counts = try store.messageCounts(in: conversation, quarterHours: 0..<Int64.max)
        #expect(counts.authors[thief.user] ?? 0 == left.count { $0.operation.author.user == thief.user })
        #expect(
            try store.withheld(of: thief.id, in: conversation) == withheld.map(\.operation).inOrder(of: stored.content))
        #expect(try store.integrityCheck() == [])
        #expect(try stored.serve(.content, beyond: [:]).flatMap(\.operations) == stored.content, "others get it")
    }

    @Test func `what is shown again is as it was`() throws {
        let reader = try others
        let unread = try store.unreadCount(in: conversation, for: reader)
        let bytes = try store.bodyBytes(in: conversation)
        let counts = try store.messageCounts(in: conversation, quarterHours: 0..<Int64.max)
        try withhold()
        try withhold()
        #expect(try store.bodyBytes(in: conversation) == bytes, "it takes the room that it takes")
        try store.withhold([], showing: withheld.map(\.operation.id), in: conversation)
        #expect(try store.messages(in: conversation, limit: 1_000) == before)
        #expect(try store.unreadCount(in: conversation, for: reader) == unread)
        let after = try store.messageCounts(in: conversation, quarterHours: 0..<Int64.max)
        #expect(after.authors == counts.authors && after.quarterHours == counts.quarterHours)
        #expect(try store.withheld(of: thief.id, in: conversation) == [])
        #expect(try store.integrityCheck() == [])
    }

    @Test func `what is withheld is not in the index of words, and is when it is shown again`() throws {
        try store.setIndexed(true)
        let all = try store.unindexed(limit: 1_000)
        try store.index(all.map { ($0.arrival, "word") })
        try withhold()
        let gone = Set(withheld.map(\.operation.id))
        let found = try store.matches(of: "word", in: conversation, before: nil, limit: 1_000)
        #expect(found.count == all.count - gone.count && found.allSatisfy { !gone.contains($0.operation.id) })
        #expect(try store.unindexed(limit: 1_000) == [])
        try store.withhold([], showing: gone.sorted(), in: conversation)
        #expect(Set(try store.unindexed(limit: 1_000).map(\.operation.id)) == gone)
    }

    @Test func `what is withheld expires as all does`() throws {
        try withhold()
        let expired = try store.expire(before: .latest, at: .latest, in: conversation, limit: 1_000)
        #expect(Set(expired) == Set(before.map(\.operation.id)))
        #expect(try store.withheld(of: thief.id, in: conversation) == [])
        #expect(try store.bodyBytes(in: conversation).isEmpty)
        try store.withhold([], showing: withheld.map(\.operation.id), in: conversation)
        #expect(try store.messages(in: conversation, limit: 1_000) == [])
    }

    @Test func `a deletion that is withheld takes no message from what is unread`() throws {
        var stored = stored
        let message = try #require(before.last).operation
        let author = try #require(stored.room.people.map(\.author).first { $0.device == message.author })
        let written = try stored.replica.log.write(
            content: [.init(type: .delete, body: [7])], by: author, at: Timestamp(clamping: 1_800_000_000_000))
        let deletion = written[0].operation.id
        var encryption = EncryptionCommit()
        encryption.links = [deletion: .message(message.id)]
        try store.commit(
            [LaneCommit(written, to: .content, of: stored.replica.log, encryption: encryption)], receivedAt: .earliest)
        let reader = try others
        #expect(try store.unreadDeletions(in: conversation, for: reader).byAuthors == [message.id])
        try store.withhold([deletion], showing: [], in: conversation)
        #expect(try store.unreadDeletions(in: conversation, for: reader).byAuthors == [])
        try store.withhold([], showing: [deletion], in: conversation)
        #expect(try store.unreadDeletions(in: conversation, for: reader).byAuthors == [message.id])
    }

    @Test(arguments: [false, true]) func `what is withheld is not among what is read of what was said about a message`(
        isAtOnce: Bool
    ) throws {
        var stored = stored
        let message = try #require(before.last).operation
        let author = try #require(stored.room.people.map(\.author).first { $0.device == message.author })
        let written = try stored.replica.log.write(
            content: (0..<6).map { .init(type: .reaction, body: [$0]) }, by: author,
            at: Timestamp(clamping: 1_800_000_000_000))
        let ids = written.map(\.operation.id)
        var encryption = EncryptionCommit()
        encryption.links = Dictionary(uniqueKeysWithValues: ids.map { ($0, .message(message.id)) })
        if isAtOnce { encryption.withheld = Set(ids[1...]) }
        try store.commit(
            [LaneCommit(written, to: .content, of: stored.replica.log, encryption: encryption)], receivedAt: .earliest)
        if !isAtOnce { try store.withhold(Array(ids[1...]), showing: [], in: conversation) }
        let read = { (limit: Int?) in
            Set(
                try store.annotations(of: [message.id], in: conversation, fromEachEnd: limit)
                    .values.joined().map(\.operation.id))
        }
        #expect(try read(2) == [ids[0]])
        #expect(try read(.max) == [ids[0]])
        #expect(try read(nil) == Set(ids))
        #expect(try store.withhold([], showing: Array(ids[..<3]), in: conversation) == Array(ids[1..<3]))
        #expect(try read(1) == [ids[0], ids[2]])
        #expect(try read(.max) == Set(ids[..<3]))
    }

    @Test func `a body that is with others is not wanted until its operation is shown`() throws {
        var stored = stored
        let bytes = try store.bodyBytes(in: conversation)
        let author = stored.room.people[0].author
        let written = try stored.replica.log.write(
            content: (1...2).map { .init(type: .message, body: Array(repeating: 7, count: 64 * $0)) }, by: author,
            at: Timestamp(clamping: 1_800_000_000_000))
        var encryption = EncryptionCommit()
        let (late, wanted) = (written[0].operation.id, written[1].operation.id)
        encryption.withheld = [late]
        encryption.wanted = [wanted]
        try store.commit(
            [LaneCommit(written.map(\.withoutBody), to: .content, of: stored.replica.log, encryption: encryption)],
            receivedAt: .earliest)
        try store.withhold([wanted], showing: [], in: conversation)
        #expect(try store.encryption(of: conversation).wanted == [])
        #expect(try store.bodyBytes(in: conversation) == bytes)
        #expect(try store.messages(in: conversation, limit: 1_000) == before)
        try store.withhold([], showing: [late, wanted], in: conversation)
        #expect(Set(try store.encryption(of: conversation).wanted.map(\.operation)) == [late, wanted])
        var all = bytes
        all[author.device.user, default: 0] += 64 * 3
        #expect(try store.bodyBytes(in: conversation) == all)
    }
}

extension [Operation] {
    /// The same in the order in which they came.
    fileprivate func inOrder(of arrived: [Operation]) -> [Operation] {
        arrived.filter(contains)
    }
}
